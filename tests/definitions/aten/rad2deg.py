# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::rad2deg: radians in degrees.

Source: PyTorch's documentation of torch.rad2deg.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.rad2deg)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-30, 0.3, -0.7, 1, -3, 100, 1e10, np.inf, -np.inf, np.nan])
