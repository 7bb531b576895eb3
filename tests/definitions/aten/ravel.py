# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::ravel: all elements in one dimension.

Source: PyTorch's documentation of torch.ravel.
"""
import numpy as np

from definition import Case


def define(x):
    return x.reshape(-1)


def cases():
    for dtype in (np.float32, np.int64, np.bool_):
        x = np.arange(6).astype(dtype)
        yield Case(f"matrix-{np.dtype(dtype)}", inputs=[x.reshape(2, 3)], also=[[x[:0].reshape(0, 3)]])
    yield Case("scalar", inputs=[np.float32(3)], opsets=(9, 13, 26))
