# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::sinh: the hyperbolic sine.

Source: PyTorch's documentation of torch.sinh.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.sinh)


def cases():
    return _elementwise.unary_cases()
