# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_scatter::scatter_mean: means of the elements whose index is the same.

Source: csrc/scatter.cpp and csrc/cpu/scatter_cpu.cpp of torch_scatter 2.1.
"""
import numpy as np

from definition import Case, definition_of

SCATTER = definition_of("torch_scatter", "_scatter")


def define(src, index, dim=-1, out=None, dim_size=None):
    sums = SCATTER.scattered(src, index, int(dim), dim_size, out, 0, lambda old, new, target, place: old + new)
    size = sums.shape[int(dim)]
    counts = SCATTER.scattered(np.ones_like(src), index, int(dim), size, None, 0, lambda old, new, target, place: old + new)
    counts = np.maximum(counts, 1)
    return (sums / counts if np.issubdtype(src.dtype, np.floating) else sums // counts).astype(src.dtype)


def cases():
    yield from SCATTER.cases("mean", (np.float32, np.float64, np.int64, np.int32))
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    yield Case("start", inputs=[x, np.int64([0, 1, 0, 0]), np.int64(0), np.ones((3, 3), np.float32)], constants=[2])
