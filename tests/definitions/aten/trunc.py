# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::trunc: x rounded towards zero.

Source: PyTorch's documentation of torch.trunc.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.trunc(x).astype(x.dtype)


def cases():
    return _elementwise.unary_cases(exact=True)
