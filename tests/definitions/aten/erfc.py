# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::erfc: 1 - erf(x).

Source: PyTorch's documentation of torch.erfc.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.erfc)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-8, 0.1, -0.4, 0.5, 1, -1, 2.5, -3, 4, 5.5, 8, 9.9, -20, 30, np.inf, -np.inf, np.nan], tolerances={"float32": (4e-6, 1e-45)}, openvino=_elementwise.NO_NAN)
