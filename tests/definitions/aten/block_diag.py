# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::block_diag: matrices along the diagonal of a larger one, in PyTorch's common type.

Source: PyTorch's documentation of torch.block_diag, and of type promotion.
"""
import numpy as np

from definition import Case, Tensors

ALL, SOME = range(11, 27), (11, 13, 26)


def define(tensors):
    matrices = [np.atleast_2d(x) for x in tensors]
    # A number decides the type only beside numbers, or if it is of a higher category.
    deciding = [x for x in tensors if x.ndim] or tensors
    floats = [x.dtype for x in deciding if x.dtype.kind == "f"] or [x.dtype for x in tensors if x.dtype.kind == "f"]
    result = np.zeros(np.sum([x.shape for x in matrices], 0), np.result_type(*(floats or [x.dtype for x in deciding])))
    row = column = 0
    for x in matrices:
        result[row:row + x.shape[0], column:column + x.shape[1]] = x
        row, column = row + x.shape[0], column + x.shape[1]
    return result


def cases():
    a, v = np.float32([[1, 2, 3], [4, np.inf, 6]]), np.float32([7, np.nan])
    yield Case("ranks", inputs=[Tensors([a, v, np.float32(3)])], opsets=ALL, also=[[Tensors([a.T, v[:1], np.float32(4)])], [Tensors([a[:, :2], v, np.float32(4)])]])
    yield Case("static", inputs=[Tensors([a, v, a])], opsets=SOME, shapes="static")
    yield Case("one", inputs=[Tensors([v])], opsets=SOME)
    yield Case("int64", inputs=[Tensors([np.int64([[1, 2]]), np.int64([[3], [4]])])], opsets=SOME)
    yield Case("float-int64", inputs=[Tensors([a, np.int64([1, 2])])], opsets=SOME)
    yield Case("double-number", inputs=[Tensors([a, np.float64(2)])], opsets=SOME)
    yield Case("integers-and-number", inputs=[Tensors([np.int64([1, 2]), np.float64(2.5)])], opsets=SOME)
    yield Case("rank-3", inputs=[Tensors([a, a[None]])], opsets=(17,), refuse="tensor 1 of the list has more than two dimensions")
