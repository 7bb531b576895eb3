# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::special_i0e: the modified Bessel function of the first kind, order 0, times exp(-|x|).

Source: PyTorch's documentation of torch.special.i0e.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.i0e)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-30, 0.001, 0.3, -0.7, 1, 2.5, -3, 7.99, 8.01, -12, 15.9, 16.1, 40, -80, np.inf, -np.inf, np.nan])
