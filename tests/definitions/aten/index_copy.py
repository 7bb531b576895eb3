# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index_copy: slices in the place of those whose numbers an index says.

Source: PyTorch's documentation of torch.Tensor.index_copy_.
"""
import numpy as np

from definition import Case


def define(x, dim, index, source):
    y = np.moveaxis(x.copy(), int(dim), 0)
    y[index] = np.moveaxis(source, int(dim), 0)
    return np.moveaxis(y, 0, int(dim))


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("middle", inputs=[x, np.int64(1), np.array([2, 0]), -x[:, :2]], constants=[1], opsets=range(9, 27))
    yield Case("last", inputs=[x, np.int64(-1), np.array([1, 3]), -x[:, :, :2]], constants=[1], opsets=(11, 13, 26))
    yield Case("integers", inputs=[x.astype(np.int64), np.int64(0), np.array([1]), -x[:1].astype(np.int64)], constants=[1], opsets=(11, 13, 26))
