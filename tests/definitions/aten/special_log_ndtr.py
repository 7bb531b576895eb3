# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::special_log_ndtr: the logarithm of the normal distribution function.

Source: PyTorch's documentation of torch.special.log_ndtr.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.log_ndtr)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-8, 0.1, -0.4, 0.5, 1, -1, -1.01, 2.5, -3, 4, 5, -8, -30, np.inf, np.nan], openvino=_elementwise.NO_NAN)
