# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_scatter::scatter_mul: products of the elements whose index is the same.

Source: csrc/scatter.cpp and csrc/cpu/scatter_cpu.cpp of torch_scatter 2.1.
"""
import numpy as np

from definition import definition_of

SCATTER = definition_of("torch_scatter", "_scatter")


def define(src, index, dim=-1, out=None, dim_size=None):
    return SCATTER.scattered(src, index, int(dim), dim_size, out, 1, lambda old, new, target, place: old * new)


def cases():
    yield from SCATTER.cases("mul", (np.float32, np.float64, np.int64))
