# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_sparse::spmm_mean: the product of a sparse matrix and a dense one, each row divided by how many elements it adds up.

Source: csrc/spmm.cpp, csrc/cpu/spmm_cpu.cpp and csrc/cpu/reducer.h of torch_sparse 0.6. Integers are divided as in C++.
"""
import numpy as np

from definition import definition_of

SPMM = definition_of("torch_sparse", "_spmm")


def mean(numbers, begin, count):
    divisor = max(len(numbers), 1)
    total = numbers.sum()
    return (total / divisor if np.issubdtype(numbers.dtype, np.floating) else int(total / divisor)), count


def define(row, rowptr, col, value, rowcount, colptr, csr2csc, mat):
    return SPMM.reduced(rowptr, col, value, mat, mean)[0]


def cases():
    yield from SPMM.cases(lambda rowptr, col, value, mat: [None, rowptr, col, value, None, None, None, mat], (np.float32, np.float64, np.float16, np.int32))
