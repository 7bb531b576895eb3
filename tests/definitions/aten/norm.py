# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::norm: the p-norm along dimensions.

Source: PyTorch's documentation of torch.norm.
"""
import numpy as np

from definition import Case

def define(x, p, dim, keepdim):
    p, axes, keep = float(p), tuple(dim.tolist()), bool(keepdim)
    if np.isinf(p):
        return (np.max if p > 0 else np.min)(np.abs(x), axes, keepdims=keep)
    return ((np.abs(x.astype(np.float64)) ** p).sum(tuple(dim.tolist()), keepdims=bool(keepdim)) ** (1 / p)).astype(x.dtype)


def cases():
    yield Case("of-no-dimension", inputs=[np.float32(-3), np.int64(2), np.array([-1]), np.bool_(False)], constants=[1, 2, 3], opsets=(9, 13, 26), define=lambda x, p, dim, keepdim: abs(x))
    tolerance = {"rtol": 1e-5, "why": "The runtime's power and the sum round."}
    x = np.float32([[1, -2, 3], [0.5, 0.25, 4]])
    for p in (np.int64(3), np.float64(0.5), np.float64(1.5)):
        for keepdim in (False, True):
            yield Case(f"p-{p}-{keepdim}", inputs=[x, p, np.array([1]), np.bool_(keepdim)], constants=[1, 2, 3], opsets=range(9, 27) if p == 3 else (9, 13, 26), **tolerance)
    broken = np.float32([[1, -2, 3], [0.5, np.nan, 4], [-9, np.inf, 0]])
    for p in (np.inf, -np.inf):
        for keepdim in (False, True):
            yield Case(f"p-{p}-{keepdim}", inputs=[broken, np.float64(p), np.array([1]), np.bool_(keepdim)], constants=[1, 2, 3], opsets=range(9, 27) if keepdim else (10, 13, 26))
    yield Case("zero", inputs=[x, np.float64(0), np.array([1]), np.bool_(False)], constants=[1, 2, 3], opsets=(13,), refuse="value_of_p")
