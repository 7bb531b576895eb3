# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ScatterElements: a copy with some elements replaced, without reduction.

Source: ONNX ScatterElements-11.
"""
import numpy as np

from definition import Case


def define(data, indices, updates, *, axis=0, reduction="none"):
    result = data.copy()
    np.put_along_axis(result, indices, updates, axis)
    return result


def cases():
    data = np.zeros((3, 3), np.float32)
    indices, updates = np.int64([[1, 0, 2], [0, 2, 1]]), np.float32([[1, 2, 3], [4, 5, 6]])
    yield Case("axis-0", inputs=[data, indices, updates])
    yield Case("axis-1", inputs=[data, np.int64([[1, 2], [0, 1], [2, 0]]), np.float32([[1, 2], [3, 4], [5, 6]])], attributes={"axis": 1})
    yield Case("reduction", inputs=[data, indices, updates], attributes={"reduction": "add"}, opsets=[9, 10], refuse="reduction")
