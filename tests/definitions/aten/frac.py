# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::frac: x - trunc(x), with the sign of x.

Source: PyTorch's documentation of torch.frac.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(lambda x: x - np.trunc(x))


def cases():
    return _elementwise.unary_cases(integers=False, exact=True)
