# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cumsum: the cumulative sum; integers give int64.

Source: PyTorch's documentation of torch.cumsum.
"""
import numpy as np

from definition import Case

def define(x, dim, dtype=None):
    return np.cumsum(x, int(dim), dtype=np.float64 if dtype is not None else np.int64 if x.dtype.kind in "iu" else x.dtype)


def cases():
    x = np.float32([[1, -2, 0.5, 3], [0, 1, np.inf, 2]])
    for dim in (0, 1, -1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(dim), None], constants=[1], opsets=range(11, 27))
    for dtype in ("float64", "int64", "int32"):
        yield Case(dtype, inputs=[np.array([[1, 2, -3], [4, 0, 6]], dtype), np.int64(1)], constants=[1], opsets=(11, 12, 14, 26))
    yield Case("in-double", inputs=[np.float32([1.5, 2.5, 3.5]), np.int64(0), np.int64(7)], constants=[1, 2], opsets=(11, 14, 26))
    for dtype in ("uint8", "uint16", "uint32", "uint64"):
        yield Case(dtype, inputs=[np.array([[1, 250, 3], [4, 0, 6]], dtype), np.int64(1)], constants=[1], opsets=(11, 14, 26))
