# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::ldexp: x times 2 to the power y.

Source: PyTorch's documentation of torch.ldexp.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(lambda x, y: x * np.exp2(y))


def cases():
    yield from _elementwise.binary_cases()
    yield Case("unranked-types", inputs=[np.float32([6, 4]), np.float64([4, 3])], shapes="unranked", opsets=(11, 26), refuse="the rank of input 0 is not known, and with rank 0 it would not decide the type")
