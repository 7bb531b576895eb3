# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::sgn: the sign of x, 0 for NaN.

Source: PyTorch's documentation of torch.sgn.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype)


def cases():
    return _elementwise.unary_cases(exact=True, openvino=_elementwise.NO_NAN)
