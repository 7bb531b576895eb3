# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::scatter: x with elements put where indices say, or added, or multiplied.

Source: PyTorch's documentation of torch.Tensor.scatter_.
"""
import numpy as np

from definition import Case


def define(x, dim, index, src, reduce=None):
    y = x.copy()
    for at in np.ndindex(*index.shape):
        to = list(at)
        to[int(dim)] = index[at]
        value = src if np.ndim(src) == 0 else src[at]
        old = y[tuple(to)]
        y[tuple(to)] = value if reduce is None else old + value if str(reduce) == "add" else old * value
    return y


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    index = np.array([[0, 2, 1, 0], [1, 0, 2, 1]])
    src = np.arange(20, 32, dtype=np.float32).reshape(3, 4)
    yield Case("rows", inputs=[x, np.int64(0), index, src[:2]], constants=[1], opsets=range(11, 27))
    yield Case("larger-source", inputs=[x, np.int64(-1), np.array([[3, 0], [1, 2]]), src], constants=[1], opsets=(11, 13, 26))
    yield Case("number", inputs=[x, np.int64(1), np.array([[3, 0], [1, 2]]), np.float32(0.5)], constants=[1, 3], opsets=(11, 13, 15, 26))
    yield Case("integers", inputs=[x.astype(np.int64), np.int64(0), index, np.int64(7)], constants=[1, 3], opsets=(13, 26))
    for reduce in ("add", "multiply"):
        yield Case(f"{reduce}-number", inputs=[x, np.int64(0), np.array([[0, 0, 1, 0], [0, 2, 1, 1]]), np.float32(2), np.array(reduce)], constants=[1, 3, 4], shapes="static", opsets=(13, 18, 26))
        yield Case(reduce, inputs=[x, np.int64(0), np.array([[0, 0, 1, 0], [0, 2, 1, 1]]), src, np.array(reduce)], constants=[1, 4], shapes="static", opsets=(13, 18, 26))
