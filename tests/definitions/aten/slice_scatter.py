# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::slice_scatter: the slices that start, end and step name replaced.

Source: PyTorch's documentation of torch.slice_scatter.
"""
import numpy as np

from definition import Case


def define(x, src, dim, start=None, end=None, step=1):
    y = np.moveaxis(x.copy(), int(dim), 0)
    y[slice(*(None if bound is None else int(bound) for bound in (start, end, step)))] = np.moveaxis(src, int(dim), 0)
    return np.moveaxis(y, 0, int(dim))


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    one = np.int64(1)
    yield Case("between", inputs=[x, -x[:, 1:], np.int64(1), one, np.int64(3), one], constants=[2, 3, 4, 5], opsets=range(9, 27))
    yield Case("each-second", inputs=[x, -x[..., ::2], np.int64(-1), np.int64(0), np.int64(2**63 - 1), np.int64(2)], constants=[2, 3, 4, 5], opsets=(10, 13, 26))
    yield Case("from-the-end", inputs=[x, -x[:, -2:-1], np.int64(1), np.int64(-2), np.int64(-1), one], constants=[2, 3, 4, 5], opsets=(10, 13, 26))
    yield Case("from-the-first", inputs=[x, -x[:1], np.int64(0), None, np.int64(-1), one], constants=[2, 4, 5], opsets=(10, 13, 26))
    yield Case("to-the-last", inputs=[x, -x[:, 2:], np.int64(1), np.int64(2), None, one], constants=[2, 3, 5], opsets=(10, 13, 26))
    yield Case("all", inputs=[x, -x, np.int64(1), None, None, one], constants=[2, 5], opsets=(10, 13, 26))
    yield Case("bounds-of-the-run", inputs=[np.int64(x), np.int64(-x[:, 1:]), np.int64(1), one, np.int64(3), one], constants=[2], opsets=(11, 13, 26))
