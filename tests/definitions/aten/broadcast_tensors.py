# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::broadcast_tensors: numpy.broadcast_arrays.

Source: PyTorch's documentation of torch.broadcast_tensors.
"""
import numpy as np

from definition import Case, Tensors

ALL, SOME = range(11, 27), (11, 13, 26)


def define(tensors):
    return Tensors(np.broadcast_arrays(*tensors))


def cases():
    a, b = np.float32([[1, 2, np.nan]]), np.float32([[4], [5]])
    yield Case("two", inputs=[Tensors([a, b])], opsets=ALL, also=[[Tensors([b, a])]])
    yield Case("three", inputs=[Tensors([a[0], b, np.float32(3)])], opsets=SOME)
    yield Case("one", inputs=[Tensors([a])], opsets=SOME)
    yield Case("int64", inputs=[Tensors([np.int64([1, 2]), np.int64([[3], [4]])])], opsets=SOME, shapes="static")
    yield Case("types", inputs=[Tensors([a, np.int64([3])])], opsets=(17,), refuse="a list of ONNX's holds tensors of one type")
