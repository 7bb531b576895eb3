# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index_select: slices whose numbers an index says.

Source: PyTorch's documentation of torch.index_select.
"""
import numpy as np

from definition import Case


def define(x, dim, index):
    return np.take(x, np.atleast_1d(index), int(dim))


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    yield Case("rows", inputs=[x, np.int64(0), np.array([2, 0, 2])], constants=[1])
    yield Case("columns", inputs=[x, np.int64(-1), np.array([1, 3], np.int32)], constants=[1], opsets=(9, 13, 26))
    yield Case("one", inputs=[x, np.int64(1), np.int64(2)], constants=[1], opsets=(9, 13, 26))
