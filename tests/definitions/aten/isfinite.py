# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isfinite: as NumPy's isfinite.

Source: PyTorch's documentation of torch.isfinite.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.isfinite(x)


def cases():
    return _elementwise.unary_cases(exact=True)
