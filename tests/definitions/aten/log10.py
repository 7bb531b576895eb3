# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::log10: the logarithm to base 10.

Source: PyTorch's documentation of torch.log10.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.log10)


def cases():
    return _elementwise.unary_cases()
