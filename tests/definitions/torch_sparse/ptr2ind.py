# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_sparse::ptr2ind: the row number of each element.

Source: csrc/cpu/convert_cpu.cpp of torch_sparse 0.6.
"""
import numpy as np

from definition import Case


def define(ptr, E):
    return np.array([max(i for i in range(len(ptr) - 1) if ptr[i] <= e) for e in range(int(E))], ptr.dtype)


def cases():
    begins = np.int64([0, 2, 2, 5, 5, 5, 6])
    also = [[np.int64([0, 0, 0]), np.int64(0)], [np.int64([0, 0, 1, 1]), np.int64(1)]]
    yield Case("input", inputs=[begins, np.int64(6)], also=also)
    yield Case("attribute", inputs=[begins], attributes={"E": 6}, also=[[np.int64([0, 6])]])
    yield Case("constant", inputs=[begins.astype(np.int32), np.int64(6)], constants=[1], shapes="static")
    yield Case("negative", inputs=[begins], attributes={"E": -1}, opsets=(17,), refuse="E is -1")
