# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_sparse::spmm_sum: the product of a sparse matrix and a dense one.

Source: csrc/spmm.cpp, csrc/cpu/spmm_cpu.cpp and csrc/cpu/reducer.h of torch_sparse 0.6.
"""
from definition import definition_of

SPMM = definition_of("torch_sparse", "_spmm")


def define(row, rowptr, col, value, colptr, csr2csc, mat):
    return SPMM.reduced(rowptr, col, value, mat, lambda numbers, begin, count: (numbers.sum(), count))[0]


def cases():
    yield from SPMM.cases(lambda rowptr, col, value, mat: [None, rowptr, col, value, None, None, mat])
