# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isposinf: as NumPy's isposinf.

Source: PyTorch's documentation of torch.isposinf.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.isposinf(x)


def cases():
    return _elementwise.unary_cases(exact=True)
