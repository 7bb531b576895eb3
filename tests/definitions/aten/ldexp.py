# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::ldexp: x times 2 to the power y.

Source: PyTorch's documentation of torch.ldexp.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(lambda x, y: x * np.exp2(y))


def cases():
    return _elementwise.binary_cases()
