# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::take_along_dim: elements at indices, the other dimensions broadcast.

Source: PyTorch's documentation of torch.take_along_dim.
"""
import numpy as np

from definition import Case

def define(x, indices, dim=None):
    return x.ravel()[indices.ravel()] if dim is None else np.take_along_axis(x, indices, int(dim))


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    yield Case("same", inputs=[x, np.array([[0, 3], [1, 1], [2, 0]]), np.int64(1)], constants=[2], opsets=range(11, 27))
    yield Case("last", inputs=[x, np.array([[0, 3], [1, 1], [2, 0]]), np.int64(-1)], constants=[2], opsets=(11, 13, 26))
    yield Case("broadcast-indices", inputs=[x, np.array([[2, 0]]), np.int64(1)], constants=[2], opsets=(11, 13, 26))
    yield Case("broadcast-x", inputs=[x[:1], np.array([[2, 0], [1, 3]]), np.int64(1)], constants=[2], opsets=(11, 13, 26))
    yield Case("first", inputs=[x, np.array([[2, 0, 1, 1]]), np.int64(0)], constants=[2], opsets=(11, 13, 26))
    yield Case("flat", inputs=[x, np.array([[2, 11]])], opsets=(9, 13, 26))
