# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::scatter_add: x with elements added where indices say.

Source: PyTorch's documentation of torch.Tensor.scatter_add_.
"""
import numpy as np

from definition import Case


def define(x, dim, index, src):
    y = x.copy()
    for at in np.ndindex(*index.shape):
        to = list(at)
        to[int(dim)] = index[at]
        y[tuple(to)] += src[at]
    return y


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    src = np.arange(20, 32, dtype=np.float32).reshape(3, 4)
    yield Case("same-places", inputs=[x, np.int64(0), np.array([[0, 0, 1, 0], [0, 2, 1, 1]]), src], constants=[1], opsets=range(11, 27))
    yield Case("columns", inputs=[x.astype(np.int64), np.int64(-1), np.array([[3, 3], [1, 2]]), src.astype(np.int64)], constants=[1], opsets=(11, 13, 26))
