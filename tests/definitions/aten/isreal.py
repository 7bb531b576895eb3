# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isreal: true for every real number.

Source: PyTorch's documentation of torch.isreal.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.ones(x.shape, bool)


def cases():
    return _elementwise.unary_cases(exact=True)
