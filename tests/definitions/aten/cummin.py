# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cummin: the cumulative minimum, and where the last of it stands; a NaN stays.

Source: PyTorch's documentation of torch.cummin.
"""
import numpy as np

from definition import Case

def define(x, dim):
    if x.ndim == 0:
        return x, np.int64(0)
    moved = np.moveaxis(x, int(dim), 0)
    values, indices = moved.copy(), np.zeros(moved.shape, np.int64)
    for k in range(1, len(moved)):
        take = np.isnan(moved[k]) | (moved[k] <= values[k - 1])
        values[k] = np.where(take, moved[k], values[k - 1])
        indices[k] = np.where(take, k, indices[k - 1])
    return np.moveaxis(values, 0, int(dim)), np.moveaxis(indices, 0, int(dim))


def cases():
    x = np.float32([[1, 3, 3, 2, np.inf], [5, np.nan, 7, np.nan, 1], [-1, -np.inf, 0, -0.0, -2]])
    for dim in (0, 1, -1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(dim)], constants=[1], opsets=range(11, 27))
    yield Case("scalar", inputs=[np.float32(2), np.int64(0)], constants=[1], opsets=(11, 15, 26))
    yield Case("values-only", inputs=[x, np.int64(1)], constants=[1], absent_outputs=[1], opsets=(11, 15, 26))
    for dtype in ("int64", "int32", "float64", "uint8"):
        yield Case(dtype, inputs=[np.array([[1, 3, 2], [4, 4, 0]], dtype), np.int64(1)], constants=[1], opsets=(11, 12, 15, 26))
    yield Case("unranked", inputs=[x, np.int64(1)], constants=[1], shapes="unranked", opsets=(11, 15, 26), refuse="the rank of input 0 (x) is not known")
