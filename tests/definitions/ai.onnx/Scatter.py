# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Scatter: the former name of ScatterElements.

Source: ONNX Scatter-9.
"""
import numpy as np

from definition import Case, definition_of

define = definition_of("ai.onnx", "ScatterElements").define


def cases():
    data = np.zeros((3, 3), np.float32)
    indices, updates = np.int64([[1, 0, 2], [0, 2, 1]]), np.float32([[1, 2, 3], [4, 5, 6]])
    yield Case("axis-0", inputs=[data, indices, updates], written_for=9)
    yield Case("axis-1", inputs=[data, np.int64([[1, 2], [0, 1], [2, 0]]), np.float32([[1, 2], [3, 4], [5, 6]])], attributes={"axis": 1}, written_for=9)
