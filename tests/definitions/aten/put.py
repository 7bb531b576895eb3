# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::put: elements put where an index, counted through all elements, says.

Source: PyTorch's documentation of torch.Tensor.put_.
"""
import numpy as np

from definition import Case


def define(x, index, source, accumulate):
    y = x.copy()
    if accumulate:
        np.add.at(y.reshape(-1), index.reshape(-1), source.reshape(-1))
    else:
        y.reshape(-1)[index.reshape(-1)] = source.reshape(-1)
    return y


def cases():
    x = np.arange(6).reshape(2, 3)
    for dtype in (np.float32, np.int64):
        yield Case(f"set-{np.dtype(dtype)}", inputs=[x.astype(dtype), np.int64([[4, 0]]), np.array([[9, -8]], dtype), np.bool_(False)], constants=[3], opsets=range(9, 27) if dtype == np.float32 else (11, 13, 26))
        yield Case(f"add-{np.dtype(dtype)}", inputs=[x.astype(dtype), np.int64([4, -1, 4]), np.array([9, -8, 1], dtype), np.bool_(True)], constants=[3], opsets=(11, 13, 16, 18, 26))
