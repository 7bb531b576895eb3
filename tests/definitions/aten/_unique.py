# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::_unique: the different elements in ascending order.

Source: PyTorch's documentation of torch.unique.
"""
import numpy as np

from definition import Case


def define(x, is_sorted=True, return_inverse=False):
    values, inverse = np.unique(x, return_inverse=True)
    return values, inverse.reshape(x.shape)


def cases():
    x = np.array([[3, 1, 3], [2, 1, -5]])
    for dtype in (np.int64, np.float32):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype), np.bool_(True), np.bool_(True)], constants=[1, 2], opsets=(11, 13, 26))
    yield Case("vector", inputs=[x[0].astype(np.float32), np.bool_(False), np.bool_(True)], constants=[1, 2], opsets=(11, 26))
