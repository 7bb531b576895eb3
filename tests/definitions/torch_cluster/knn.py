# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""For each element of y, the k nearest of x in its batch, as pairs (index in y, index in x), nearest first.

Source: torch_cluster::knn, csrc/cpu/knn_cpu.cpp, whose ptr_x and ptr_y hold where each batch begins, and at last where all end.
"""
import numpy as np

from definition import Case, definition_of

nearest_points = definition_of("onnx_lower", "NearestPoints")


def define(x, y, ptr_x=None, ptr_y=None, k=None, cosine=None, num_workers=None):
    ptr_x, ptr_y = (np.int64([0, len(x)]), np.int64([0, len(y)])) if ptr_x is None else (ptr_x, ptr_y)
    batch = np.searchsorted(ptr_y[1:], np.arange(len(y)), side="right")
    _, index = nearest_points.search(x, y, ptr_x[batch], ptr_x[batch + 1], int(k), np.inf)
    rows, columns = np.nonzero(index >= 0)
    return np.stack([rows, index[rows, columns]]).astype(np.int64)


def cases():
    random = np.random.default_rng(0)

    def operands(sizes_x, sizes_y, coordinates=3, dtype=np.float32):
        ends = [np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64) for sizes in (sizes_x, sizes_y)]
        return [random.normal(0, 3, (sum(sizes), coordinates)).astype(dtype) for sizes in (sizes_x, sizes_y)] + ends

    tail = [np.int64(3), np.bool_(False), np.int64(1)]
    known = [("n", 3), ("m", 3), "symbolic", "symbolic", "static", "static", "static"]
    yield Case("batches", inputs=[*operands((9, 4, 12), (5, 3, 2)), *tail], constants=(4, 5, 6), shapes=known, opsets=nearest_points.SINCE_11,
               also=[[*operands((2, 1), (3, 3)), *tail], [*operands((5,), (0,)), *tail], [*operands((0, 7), (1, 2)), *tail]])
    yield Case("one-batch", inputs=[*operands((9,), (5,))[:2], None, None, *tail], constants=(4, 5, 6), constants_as="node", shapes=known, opsets=nearest_points.SINCE_11,
               also=[[*operands((2,), (4,))[:2], None, None, *tail]])
    yield Case("attributes", inputs=operands((9,), (5,))[:2], attributes=dict(k=3), shapes=known[:2], opsets=(11, 13, 20))
    yield Case("refuse-cosine", inputs=[*operands((9,), (5,))[:2], None, None, np.int64(3), np.bool_(True), np.int64(1)], constants=(4, 5, 6), opsets=(13,), refuse="cosine")
    yield Case("refuse-no-k", inputs=operands((9,), (5,))[:2], opsets=(13,), refuse="k is not a constant")
