# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::heaviside: the step from 0 to 1, and `values` at zero; 0 for NaN.

Source: PyTorch's documentation of torch.heaviside; of NaN, its kernel.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x, values):
    return np.where(x == 0, values, (x > 0).astype(x.dtype)).astype(x.dtype)


def cases():
    return _elementwise.binary_cases(exact=True, mixed=False, openvino=_elementwise.NO_NAN)
