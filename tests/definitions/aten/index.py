# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index: elements at indices for some dimensions.

Source: PyTorch's documentation of NumPy's indexing, which torch's documentation of tensor views refers to.
"""
import numpy as np

from definition import Case, Tensors


def define(x, *indices):
    items = indices[0] if isinstance(indices[0], Tensors) else indices
    return x[tuple(slice(None) if item is None else item for item in items)]


def cases():
    x = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    i, j = np.array([2, 0, -1]), np.array([1, 3, 3])
    yield Case("list", inputs=[x, Tensors([i, j])], opsets=range(11, 27))
    yield Case("flat", inputs=[x, i, j], opsets=range(11, 27))
    yield Case("unsafe", op_type="_unsafe_index", inputs=[x, i, j], opsets=(13, 26))
    yield Case("one", inputs=[x, np.array([[2, 0], [1, -1]])], opsets=(11, 13, 26))
    yield Case("broadcast", inputs=[x, i[:, None], j], opsets=(11, 13, 26))
    yield Case("int32", inputs=[x, i.astype(np.int32), j], opsets=(11, 26))
    yield Case("last", inputs=[x, None, None, i], opsets=(11, 13, 26))
    yield Case("middle-and-last", inputs=[x, None, i[:, None], j], opsets=(11, 13, 26))
    yield Case("mask", inputs=[x, x[:, :, 0] > 20], opsets=(11, 13, 26))
    yield Case("whole-mask", inputs=[x, x > 20], opsets=(11, 26))
    yield Case("mask-behind", inputs=[x, None, np.array([True, False, True, True])], opsets=(11, 26))
    yield Case("scattered", inputs=[x, i, None, j], opsets=(13,), refuse="a dimension without an index stands between two")
    yield Case("two-masks", inputs=[x, i > 0, np.array([True, False, True, True])], opsets=(13,), refuse="a mask stands beside another index")
