# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::gather: the elements of x at the indices along a dimension.

Source: PyTorch's documentation of torch.gather.
"""
import numpy as np

from definition import Case


def define(x, dim, index, sparse_grad=False):
    at = list(np.indices(index.shape))
    at[int(dim)] = index
    return x[tuple(at)]


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    index = np.array([[0, 2, 1, 0], [2, 2, 0, 1]])
    yield Case("rows", inputs=[x, np.int64(0), index, np.bool_(False)], constants=[1, 3], opsets=range(11, 27))
    yield Case("columns", inputs=[x, np.int64(-1), np.array([[3, 0], [1, 1], [2, 0]]), np.bool_(False)], constants=[1, 3], opsets=(11, 13, 26))
    yield Case("short", inputs=[x.astype(np.int64), np.int64(1), np.array([[3], [1], [2]])], constants=[1], opsets=(11, 26))
