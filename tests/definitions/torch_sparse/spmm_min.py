# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_sparse::spmm_min: the least of the products that a product with a sparse matrix adds up, and where it stands.

Source: csrc/spmm.cpp, csrc/cpu/spmm_cpu.cpp and csrc/cpu/reducer.h of torch_sparse 0.6.
"""
import operator

import numpy as np

from definition import Case, definition_of

SPMM = definition_of("torch_sparse", "_spmm")


def define(rowptr, col, value, mat):
    limit = (np.finfo if np.issubdtype(mat.dtype, np.floating) else np.iinfo)(mat.dtype).max
    return SPMM.reduced(rowptr, col, value, mat, lambda numbers, begin, count: SPMM.best(numbers, begin, count, limit, operator.lt))


def cases():
    yield from SPMM.cases(lambda rowptr, col, value, mat: [rowptr, col, value, mat])
    beyond = np.float32([[np.nan, -np.inf, 1], [np.inf, 2, 2]])
    yield Case("limits", inputs=[np.int64([0, 1, 3, 3]), np.int64([0, 1, 0]), None, beyond], opsets=(13, 18))
