# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::argwhere: the indices of all elements that are not zero.

Source: PyTorch's documentation of torch.argwhere.
"""
import numpy as np

from definition import Case


def define(x):
    return np.argwhere(x)


def cases():
    for dtype in (np.float32, np.int64, np.bool_, np.float64, np.int32):
        x = np.array([[0, 1, 2], [0, 0, 3]]).astype(dtype)
        yield Case(f"matrix-{np.dtype(dtype)}", inputs=[x], also=[[x[:, :1]], [x[:0]]], opsets=range(9, 27) if dtype == np.float32 else (9, 13, 26))
    yield Case("vector", inputs=[np.float32([0, np.nan, -0.0, -1])], opsets=(9, 13, 26))
    yield Case("unranked", inputs=[np.float32([1])], shapes="unranked", opsets=(13,), refuse="rank(x) is not known")
