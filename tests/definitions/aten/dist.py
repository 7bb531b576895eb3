# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::dist: the p-norm of the difference.

Source: PyTorch's documentation of torch.dist.
"""
import numpy as np

from definition import Case

def define(x, other, p):
    return np.linalg.norm((x.astype(np.float64) - other).ravel(), float(p)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-5, "why": "The runtime's power and the sum round."}
    x, other = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[1, -2, 3.5], [0, 5, 16]])
    for p in (np.int64(0), np.int64(1), np.int64(2), np.float64(3), np.float64(0.5), np.float64(np.inf), np.float64(-np.inf)):
        yield Case(f"p-{p}-{p.dtype}", inputs=[x, other, p], constants=[2], opsets=range(9, 27) if p == 2 else (9, 12, 13, 15, 18, 26), **tolerance)
    yield Case("nan", inputs=[x, np.where(other == 0, np.float32(np.nan), other), np.int64(2)], constants=[2], opsets=(9, 15, 26), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), other.astype(np.float64), np.float64(3)], constants=[2], opsets=(9, 15, 26), **tolerance)
    yield Case("computed-p", inputs=[x, other, np.int64(0)], opsets=(9, 15, 26), refuse="'p' is not a constant")
