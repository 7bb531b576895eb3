# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::special_i1: the modified Bessel function of the first kind, order 1.

Source: PyTorch's documentation of torch.special.i1.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.i1)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-30, 0.001, 0.3, -0.7, 1, 2.5, -3, 7.99, 8.01, -12, 15.9, 16.1, 40, -80, np.inf, -np.inf, np.nan], tolerances={"float32": (1e-5, 1e-7)})
