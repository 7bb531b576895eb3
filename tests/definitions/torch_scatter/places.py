# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_scatter::places: the index of each element, and the shape of what is scattered.

Source: `broadcast` of torch_scatter's csrc/utils.h, and the sizes in csrc/cpu/scatter_cpu.cpp.
"""
import numpy as np

from definition import Case, definition_of

SCATTER = definition_of("torch_scatter", "_scatter")


def define(src, index, dim_size=None, *, dim):
    dim = dim + src.ndim if dim < 0 else dim
    shape = list(src.shape)
    shape[dim] = int(dim_size) if dim_size is not None else int(index.max()) + 1 if index.size else 0
    return SCATTER.broadcast(index, src, dim).astype(np.int64), np.int64(shape)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    yield Case("line", inputs=[x, np.int64([2, 0, 1, 2])], attributes={"dim": 1})
    yield Case("last", inputs=[x, np.int32([2, 0, 4])], attributes={"dim": -1})
    yield Case("table", inputs=[x, np.int64([[2, 0, 1, 2], [1, 1, 1, 0]]), np.int64(9)], attributes={"dim": 1})
    yield Case("empty", inputs=[x[:0], np.zeros(0, np.int64)], attributes={"dim": 0})
