# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::hypot: sqrt(x x + y y).

Source: PyTorch's documentation of torch.hypot.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.hypot)


def cases():
    return _elementwise.binary_cases()
