# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GatherElements: elements by index along an axis.

Source: ONNX GatherElements-11.
"""
import numpy as np

from definition import Case


def define(data, indices, axis=0):
    return np.take_along_axis(data, np.where(indices < 0, indices + data.shape[axis], indices), axis)


def cases():
    data = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("axis-0", inputs=[data, np.int64([[[0, 1, -1, 0]] * 3])])
    yield Case("axis-1", inputs=[data, np.int64([[[0, 1, -1, 2]], [[2, 2, 0, -3]]])], attributes={"axis": 1})
    yield Case("axis-last", inputs=[data, np.int32([[[3, 0]] * 3, [[1, -1]] * 3])], attributes={"axis": -1})
    yield Case("vector", inputs=[np.int64([5, 6, 7]), np.int64([2, -3])])
    yield Case("matrix-double", inputs=[np.arange(6.0).reshape(2, 3), np.int64([[2, 1], [0, 0]])], attributes={"axis": 1})
