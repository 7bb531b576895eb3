# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""For each x the nearest y of the same batch.

Source: torch_cluster::nearest, csrc/cuda/nearest_cuda.cu.
"""
import numpy as np

from definition import Case, definition_of

nearest_points = definition_of("onnx_lower", "NearestPoints")


def define(x, y, ptr_x, ptr_y):
    batch = np.searchsorted(ptr_x[1:], np.arange(len(x)), side="right")
    _, index = nearest_points.search(y, x, ptr_y[batch], ptr_y[batch + 1], 1, np.float32(1e38))
    return index[:, 0]


def cases():
    random = np.random.default_rng(0)

    def operands(sizes_x, sizes_y, dtype=np.float32):
        ends = [np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64) for sizes in (sizes_x, sizes_y)]
        return [random.normal(0, 3, (sum(sizes), 2)).astype(dtype) for sizes in (sizes_x, sizes_y)] + ends

    known = [("n", 2), ("m", 2), "symbolic", "symbolic"]
    yield Case("batches", inputs=operands((9, 4, 12), (5, 3, 2)), shapes=known, opsets=nearest_points.SINCE_11, also=[operands((1,), (1,)), operands((0, 3), (2, 2))])
