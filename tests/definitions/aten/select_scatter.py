# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::select_scatter: one slice replaced.

Source: PyTorch's documentation of torch.select_scatter.
"""
import numpy as np

from definition import Case


def define(x, src, dim, index):
    y = np.moveaxis(x.copy(), int(dim), 0)
    y[int(index)] = src
    return np.moveaxis(y, 0, int(dim))


def cases():
    x = np.arange(24.0).reshape(2, 3, 4)
    for dtype in (np.float32, np.float64, np.int64, np.bool_):
        yield Case(f"middle-{np.dtype(dtype)}", inputs=[x.astype(dtype), (-x[:, 0]).astype(dtype), np.int64(1), np.int64(2)], constants=[2, 3], opsets=range(9, 27) if dtype == np.float32 else (9, 13, 26))
    yield Case("last", inputs=[np.float32(x), np.float32(-x[..., 0]), np.int64(-1), np.int64(-1)], constants=[2, 3], opsets=(11, 13, 26))
    yield Case("index-of-the-run", inputs=[np.float32(x), np.float32(-x[0]), np.int64(0), np.int64(1)], constants=[2], opsets=(11, 13, 26))
    yield Case("other-type", inputs=[np.float32(x), np.int64(-x[0]), np.int64(0), np.int64(1)], constants=[2, 3], opsets=(11, 13, 26))
