# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::mode: the most frequent value along a dimension, the least one if there are several.

Source: PyTorch's documentation of torch.mode; and as torch computes it on a CPU, where a NaN is a value of its own below all numbers, and the place named is the last.
"""
import numpy as np

from definition import Case


def define(x, dim=-1, keepdim=False):
    dim = int(dim)

    def one(row):
        missing = np.flatnonzero(np.isnan(row)) if row.dtype.kind == "f" else []
        values, counts = np.unique(row, return_counts=True)
        if len(missing) and counts[values == values].max(initial=1) == 1:
            return missing[0]
        known = values == values
        values, counts = values[known], counts[known]
        return np.flatnonzero(row == values[counts.argmax()])[-1]

    indices = np.expand_dims(np.apply_along_axis(one, dim, x), dim)
    values = np.take_along_axis(x, indices, dim)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


def cases():
    x = np.array([[3, 1, 3, 1, 2], [2, 2, 0, 7, 0], [5, 4, 3, 2, 1], [3, 1, 0, 7, 1]])
    for dtype in (np.float32, np.float64, np.float16, np.int64, np.int32, np.uint8):
        for dim in (-1, 0):
            yield Case(f"{np.dtype(dtype)}-{dim}", inputs=[x.astype(dtype), np.int64(dim), np.bool_(False)], constants=[1, 2], outputs=2, opsets=range(9, 27) if dtype == np.float32 else (9, 13, 26))
    yield Case("bool", inputs=[x > 2, np.int64(1), np.bool_(True)], constants=[1, 2], outputs=2, opsets=(9, 13, 26))
    yield Case("keepdim", inputs=[x.astype(np.float32), np.int64(0), np.bool_(True)], constants=[1, 2], outputs=2, opsets=(9, 13, 26))
    yield Case("rank-3", inputs=[np.stack([x, x[::-1]]), np.int64(1), np.bool_(False)], constants=[1, 2], outputs=2, opsets=(9, 13, 26))
    broken = np.float32([[np.nan, 1, 2, 3, np.nan], [1, np.nan, np.nan, 2, 2], [np.nan] * 5, [-np.inf, np.inf, np.inf, -np.inf, 0]])
    yield Case("nan", inputs=[broken, np.int64(1), np.bool_(False)], constants=[1, 2], outputs=2, opsets=(9, 13, 26))
    yield Case("values-only", inputs=[x.astype(np.float32)], outputs=1, opsets=(9, 13, 26))
    yield Case("no-such-dim", inputs=[x.astype(np.float32), np.int64(2), np.bool_(False)], constants=[1, 2], opsets=(13,), refuse="input 0 does not have that dimension")
