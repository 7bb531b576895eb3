# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::angle: 0 for positive and pi for negative numbers.

Source: PyTorch's documentation of torch.angle.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(lambda x: np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0)))


def cases():
    return _elementwise.unary_cases()
