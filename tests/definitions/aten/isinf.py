# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isinf: as NumPy's isinf.

Source: PyTorch's documentation of torch.isinf.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.isinf(x)


def cases():
    return _elementwise.unary_cases(exact=True)
