# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index_put: values put, or added, at indices for some dimensions.

Source: PyTorch's documentation of torch.Tensor.index_put_.
"""
import numpy as np

from definition import Case, Tensors


def define(x, *rest):
    if isinstance(rest[0], Tensors):
        items, values, accumulate = rest[0], rest[1], rest[2]
    else:
        items, values, accumulate = rest[:-2], rest[-2], rest[-1]
    at, y = tuple(slice(None) if item is None else item for item in items), x.copy()
    if accumulate:
        np.add.at(y, at, values)
    else:
        y[at] = values
    return y


def cases():
    x = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    i, j = np.array([2, 0, -1]), np.array([1, 3, 0])
    v = -np.arange(15, dtype=np.float32).reshape(3, 5)
    no, yes = np.bool_(False), np.bool_(True)
    yield Case("list", inputs=[x, Tensors([i, j]), v, no], constants=[3], opsets=range(11, 27))
    yield Case("flat", inputs=[x, i, j, v, np.int64(0)], constants=[4], opsets=range(11, 27))
    yield Case("unsafe", op_type="_unsafe_index_put", inputs=[x, Tensors([i, j]), v, no], constants=[3], opsets=(13, 26))
    yield Case("one", inputs=[x, np.array([2, 0]), v[0], no], constants=[3], opsets=(11, 13, 26))
    yield Case("added", inputs=[x, np.array([2, 0, 2]), np.array([1, 1, 3]), v, yes], constants=[4], shapes="static", opsets=(11, 13, 16, 26))
    yield Case("number", inputs=[x, i[:, None], j, np.float32(7), no], constants=[3, 4], opsets=(11, 13, 26))
    yield Case("last", inputs=[x, None, None, np.array([4, 0]), np.float32([[8], [9], [7], [6]]), no], constants=[5], opsets=(11, 13, 26))
    yield Case("mask", inputs=[x, x[:, :, 0] > 20, np.float32(-1), no], constants=[2, 3], opsets=(11, 13, 26))
    yield Case("mask-of-rows", inputs=[x, x[:, :, 0] > 35, -x[0], no], constants=[3], opsets=(11, 26))
    yield Case("mask-behind", inputs=[x, None, np.array([True, False, True, True]), np.float32(5), no], constants=[3, 4], opsets=(11, 26))
