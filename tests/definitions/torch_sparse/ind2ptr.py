# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_sparse::ind2ptr: where the elements of each row begin.

Source: csrc/cpu/convert_cpu.cpp of torch_sparse 0.6.
"""
import numpy as np

from definition import Case


def define(ind, M):
    return np.array([sum(row < i for row in ind.tolist()) for i in range(int(M) + 1)], ind.dtype)


def cases():
    rows = np.int64([0, 0, 2, 2, 2, 5])
    also = [[np.int64([]), np.int64(3)], [np.int64([3]), np.int64(4)], [rows, np.int64(6)]]
    yield Case("input", inputs=[rows, np.int64(8)], also=also)
    yield Case("attribute", inputs=[rows], attributes={"M": 6}, also=[[np.int64([5, 5])]])
    yield Case("constant", inputs=[rows.astype(np.int32), np.int64(7)], constants=[1], shapes="static")
    yield Case("negative", inputs=[rows], attributes={"M": -1}, opsets=(17,), refuse="M is -1")
