# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::erfinv: the inverse of erf.

Source: PyTorch's documentation of torch.erfinv.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.erfinv)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-8, 0.1, -0.4, 0.5, 0.9, -0.99, 0.9999, -0.999999, 1, -1, 1.5, np.inf, np.nan])
