# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::sigmoid: 1 / (1 + exp(-x)).

Source: PyTorch's documentation of torch.sigmoid.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(lambda x: 1 / (1 + np.exp(-x)))


def cases():
    tolerance = {"rtol": 4e-6, "atol": 1e-6, "why": "The runtime's elementary functions round."}
    yield Case("float32", inputs=[np.float32([0, 0.3, 1, -0.7, 2.5, -3, 1e-3, np.nan])], also=[[np.zeros(0, np.float32)]], **tolerance)
    yield Case("int64", inputs=[np.array([1, 2, 5])], opsets=(9, 12, 15, 26), **tolerance)
