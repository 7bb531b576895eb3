# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::acos: the arc cosine.

Source: PyTorch's documentation of torch.acos.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.arccos)


def cases():
    tolerance = {"rtol": 4e-6, "atol": 1e-6, "why": "The runtime's elementary functions round."}
    yield Case("float32", inputs=[np.float32([0, 0.3, 1, -0.7, 0.99, 1e-3])], also=[[np.zeros(0, np.float32)]], **tolerance)
    yield Case("int64", inputs=[np.array([0, 1, -1])], opsets=(9, 12, 15, 26), **tolerance)
