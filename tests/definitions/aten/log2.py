# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::log2: the logarithm to base 2.

Source: PyTorch's documentation of torch.log2.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.log2)


def cases():
    return _elementwise.unary_cases()
