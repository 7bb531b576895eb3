# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::logaddexp2: log2(2 ** x + 2 ** y).

Source: PyTorch's documentation of torch.logaddexp2.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.logaddexp2)


def cases():
    return _elementwise.binary_cases()
