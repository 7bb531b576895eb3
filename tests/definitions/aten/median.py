# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::median: the lower one of an even number; with a NaN it is NaN, and the index that of the first NaN.

Source: PyTorch's documentation of torch.median. Which of equal elements is named is left open; the cases have none.
"""
import numpy as np

from definition import Case, definition_of

kthvalue = definition_of("aten", "kthvalue").define


def define(x, dim=None, keepdim=False):
    if dim is None:
        return define(x.reshape(-1), 0)[0]
    values, indices = kthvalue(x, (x.shape[int(dim)] + 1) // 2, dim, True)
    if x.dtype.kind == "f":
        bad = np.isnan(x).any(int(dim), keepdims=True)
        values = np.where(bad, np.array(np.nan, x.dtype), values)
        indices = np.where(bad, np.isnan(x).argmax(int(dim), keepdims=True), indices)
    return (values, indices) if keepdim else (values.squeeze(int(dim)), indices.squeeze(int(dim)))


def cases():
    x = np.array([[3, 1, 2, -5], [9, 8, 7, 10], [0, 4, -1, 6]])
    broken = np.float32([[3, np.nan, 2], [5, 1, 4]])
    for dtype in (np.float32, np.float64, np.int64):
        yield Case(f"all-{np.dtype(dtype)}", inputs=[x.astype(dtype)], outputs=1, opsets=range(10, 27) if dtype == np.float32 else (11, 18, 26))
        for keepdim in (False, True):
            for dim in (-1, 0):
                yield Case(f"{np.dtype(dtype)}-{dim}-{keepdim}", inputs=[x.astype(dtype), np.int64(dim), np.bool_(keepdim)], constants=[1, 2], outputs=2, opsets=range(11, 27) if dtype == np.float32 else (11, 18, 26))
    yield Case("nan", inputs=[broken, np.int64(1), np.bool_(False)], constants=[1, 2], outputs=2, opsets=(11, 18, 26))
    yield Case("nan-all", inputs=[broken], outputs=1, opsets=(11, 18, 26))
