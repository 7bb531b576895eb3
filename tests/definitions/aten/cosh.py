# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cosh: the hyperbolic cosine.

Source: PyTorch's documentation of torch.cosh.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.cosh)


def cases():
    return _elementwise.unary_cases()
