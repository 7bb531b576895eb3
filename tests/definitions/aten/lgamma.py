# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::lgamma: log |gamma(x)|; infinite at both infinities, as in C.

Source: PyTorch's documentation of torch.lgamma.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(lambda x: np.where(np.isinf(x), np.inf, special.gammaln(x)))


def cases():
    return _elementwise.unary_cases([0, 0.1, 0.5, 1, 1.5, 2, 3, 9.9, 10.1, 100, 1e10, -0.5, -1, -2.5, -7.3, np.inf, -np.inf, np.nan], openvino="it computes double in single precision")
