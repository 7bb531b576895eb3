# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::kthvalue: the k-th smallest element along a dimension; NaN is greater than all else.

Source: PyTorch's documentation of torch.kthvalue. Which of equal elements is named is left open; the cases have none.
"""
import numpy as np

from definition import Case

def define(x, k, dim=-1, keepdim=False):
    indices = np.take(np.argsort(x, int(dim), kind="stable"), [int(k) - 1], int(dim))
    values = np.take_along_axis(x, indices, int(dim))
    return (values, indices) if keepdim else (values.squeeze(int(dim)), indices.squeeze(int(dim)))


def cases():
    x = np.array([[3, 1, 2, -5], [9, 8, 7, 10], [0, 4, -1, 6]])
    for dtype in (np.float32, np.float64, np.int64, np.int32):
        for keepdim in (False, True):
            for dim in (-1, 0):
                common = dict(inputs=[x.astype(dtype), np.int64(2), np.int64(dim), np.bool_(keepdim)], constants=[1, 2, 3], outputs=2)
                yield Case(f"{np.dtype(dtype)}-{dim}-{keepdim}", opsets=range(10, 27) if dtype == np.float32 else (11, 18, 26), **common)
    yield Case("nan", inputs=[np.float32([np.nan, 2, np.nan, 1]), np.int64(2), np.int64(0), np.bool_(False)], constants=[1, 2, 3], outputs=2, opsets=(11, 18, 26))
    yield Case("values-only", inputs=[x.astype(np.float32), np.int64(3), np.int64(1), np.bool_(False)], constants=[1, 2, 3], absent_outputs=[1], opsets=(11, 26))
