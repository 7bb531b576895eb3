# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_scatter::scatter_max: the greatest of the elements whose index is the same, and where it stands.

Source: csrc/scatter.cpp, csrc/cpu/scatter_cpu.cpp and csrc/cpu/reducer.h of torch_scatter 2.1.
"""
import operator

import numpy as np

from definition import definition_of

SCATTER = definition_of("torch_scatter", "_scatter")


def define(src, index, dim=-1, out=None, dim_size=None):
    return SCATTER.extreme(src, index, dim, dim_size, SCATTER.limits_of(src.dtype).min, operator.gt)


def cases():
    yield from SCATTER.cases_of_extremes("max", np.finfo(np.float32).min)
