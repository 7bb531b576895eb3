# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::atanh: the inverse hyperbolic tangent.

Source: PyTorch's documentation of torch.atanh.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.arctanh)


def cases():
    return _elementwise.unary_cases([0, -0.0, 0.001, -0.3, 0.999, 1, -1, 2, -5, np.inf, np.nan])
