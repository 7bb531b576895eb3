# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::exp2: 2 to the power x.

Source: PyTorch's documentation of torch.exp2.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.exp2)


def cases():
    return _elementwise.unary_cases()
