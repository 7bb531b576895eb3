# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::nanmedian: the lower median of what is not NaN.

Source: PyTorch's documentation of torch.nanmedian. Which of equal elements is named is left open; the cases have none.
"""
import numpy as np

from definition import Case


def define(x, dim=None, keepdim=False):
    if dim is None:
        return define(x.reshape(-1), 0)[0]
    dim = int(dim)
    order = np.argsort(x, dim, kind="stable")  # NaN comes last
    count = x.shape[dim] - np.isnan(x).sum(dim, keepdims=True)
    indices = np.take_along_axis(order, np.maximum(count - 1, 0) // 2, dim)
    values = np.take_along_axis(x, indices, dim)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


def cases():
    x = np.array([[3, np.nan, 2, -5], [9, 8, 7, 10], [np.nan, 4, np.nan, np.inf]])
    for dtype in (np.float32, np.float64):
        for keepdim in (False, True):
            for dim in (-1, 0):
                yield Case(f"{np.dtype(dtype)}-{dim}-{keepdim}", inputs=[x.astype(dtype), np.int64(dim), np.bool_(keepdim)], constants=[1, 2], outputs=2, opsets=range(11, 27) if dtype == np.float32 else (11, 18, 26))
    yield Case("all", inputs=[np.float32(x)], outputs=1, opsets=(11, 13, 26))
    yield Case("none", inputs=[np.float32([[np.nan, np.nan], [1, np.nan]]), np.int64(1), np.bool_(False)], constants=[1, 2], outputs=2, absent_outputs=[1], opsets=(11, 13, 26))
    yield Case("integers", inputs=[np.int64([[3, 1, 2, 7]]), np.int64(1), np.bool_(False)], constants=[1, 2], outputs=2, opsets=(11, 13, 26))
