# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::copysign: the magnitude of x with the sign of other.

Source: PyTorch's documentation of torch.copysign; other is no NaN here, whose sign the rule does not see.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.copysign)


def cases():
    yield from _elementwise.binary_cases([value for value in _elementwise.PAIRS if value == value], exact=True)
    yield Case("unranked-types", inputs=[np.float32([6, 4]), np.float64([4, 3])], shapes="unranked", opsets=(11, 26), refuse="the rank of input 0 is not known, and with rank 0 it would not decide the type")
