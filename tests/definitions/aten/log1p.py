# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::log1p: log(1 + x).

Source: PyTorch's documentation of torch.log1p.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.log1p)


def cases():
    return _elementwise.unary_cases()
