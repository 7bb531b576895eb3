# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::special_erfcx: exp(x x) erfc(x).

Source: PyTorch's documentation of torch.special.erfcx.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.erfcx)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-8, 0.1, -0.4, 0.5, 1, -1, 2.5, -2, 4, 5.5, 8, 20, 1e10, -20, np.inf, -np.inf, np.nan], openvino=_elementwise.NO_NAN)
