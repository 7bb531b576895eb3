# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What aten::hstack, vstack, dstack and column_stack have in common: the tensors of a list, in their common type."""
import numpy as np

from definition import Case, Tensors

ALL, SOME = range(11, 27), (11, 13, 26)


def common(tensors):
    """PyTorch's common type of tensors of rank 1 and more, for the types of the cases below: NumPy's, but for integers beside floats."""
    floats = [x.dtype for x in tensors if x.dtype.kind == "f"]
    dtype = np.result_type(*(floats or [x.dtype for x in tensors]))
    return [x.astype(dtype) for x in tensors]


def cases(*, refused):
    a, b = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[-1, np.inf, 0], [np.nan, 8, 9]])
    yield Case("matrices", inputs=[Tensors([a, b])], opsets=ALL)
    yield Case("vectors", inputs=[Tensors([a[0], b[1]])], opsets=SOME)
    yield Case("numbers", inputs=[Tensors([np.float32(3), np.float32(5)])], opsets=SOME)
    yield Case("one", inputs=[Tensors([a])], opsets=SOME)
    yield Case("rank-3", inputs=[Tensors([a[None], b[None], a[None]])], opsets=SOME)
    yield Case("static", inputs=[Tensors([a, b])], opsets=SOME, shapes="static")
    yield Case("float-int64", inputs=[Tensors([a, np.int64([[1, 2, 3], [4, 5, 6]])])], opsets=SOME)
    yield Case("int32-int64", inputs=[Tensors([np.int32([1, 2]), np.int64([3, 4])])], opsets=SOME)
    yield Case("bool-uint8", inputs=[Tensors([np.bool_([[True, False]]), np.uint8([[7, 200]])])], opsets=SOME)
    yield Case("half-double", inputs=[Tensors([np.float16([1.5, 2]), np.float64([0.1, 4])])], opsets=SOME)
    yield Case("unranked", inputs=[Tensors([a, b])], opsets=(17,), shapes="unranked", refuse="the rank of tensor 0 of the list is not known")
    yield Case("ranks", inputs=[Tensors([refused[0], refused[1]])], opsets=(17,), refuse="tensors 0 and 1 of the list do not fit by their ranks")
