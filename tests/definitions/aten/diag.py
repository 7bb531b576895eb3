# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::diag: a matrix from its diagonal, or the diagonal of a matrix.

Source: PyTorch's documentation of torch.diag.
"""
import numpy as np

from definition import Case

def define(x, diagonal):
    return np.diag(x, int(diagonal))


def cases():
    vector, matrix = np.float32([1, np.nan, 3]), np.arange(12, dtype=np.float32).reshape(3, 4)
    for diagonal in (0, 2, -1):
        yield Case(f"vector{diagonal}", inputs=[vector, np.int64(diagonal)], constants=[1], opsets=range(11, 27))
        yield Case(f"matrix{diagonal}", inputs=[matrix, np.int64(diagonal)], constants=[1], also=[[matrix.T.copy(), np.int64(diagonal)]], opsets=range(11, 27))
    yield Case("int64", inputs=[np.array([4, 5]), np.int64(1)], constants=[1], opsets=(11, 15, 26))
