# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index_fill: a number in the slices whose numbers an index says.

Source: PyTorch's documentation of torch.Tensor.index_fill_.
"""
import numpy as np

from definition import Case


def define(x, dim, index, value):
    y = np.moveaxis(x.copy(), int(dim), 0)
    y[np.atleast_1d(index)] = value
    return np.moveaxis(y, 0, int(dim))


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("middle", inputs=[x, np.int64(1), np.array([2, 0]), np.float32(-1)], constants=[1, 3], opsets=range(9, 27))
    yield Case("last", inputs=[x, np.int64(-1), np.array([1, 1]), np.float32(np.nan)], constants=[1], opsets=(11, 13, 26))
    yield Case("integers", inputs=[x.astype(np.int64), np.int64(0), np.int64(1), np.int64(5)], constants=[1, 3], opsets=(11, 13, 26))
