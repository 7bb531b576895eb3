# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isnan: as NumPy's isnan.

Source: PyTorch's documentation of torch.isnan.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.isnan(x)


def cases():
    return _elementwise.unary_cases(exact=True)
