# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::acosh: the inverse hyperbolic cosine.

Source: PyTorch's documentation of torch.acosh.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.arccosh)


def cases():
    return _elementwise.unary_cases()
