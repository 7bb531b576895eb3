# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::renorm: slices whose norm is above a limit are scaled down to it.

Source: PyTorch's documentation of torch.renorm, and its kernel for the 1e-7 that it adds to the norm.
"""
import numpy as np

from definition import Case

def define(x, p, dim, maxnorm):
    axes = tuple(axis for axis in range(x.ndim) if axis != int(dim) % x.ndim)
    norm = (np.abs(x.astype(np.float64)) ** float(p)).sum(axes, keepdims=True) ** (1 / float(p)) if np.isfinite(p) else np.abs(x.astype(np.float64)).max(axes, keepdims=True)
    return np.where(norm > maxnorm, x * (maxnorm / (norm + 1e-7)), x).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime sums in another order."}
    x = np.float32([[1, 4, -2], [0.1, 0.2, 0.3], [0, 0, 9]])
    for p, dim in ((2.0, 0), (1.0, -1), (3.0, 1), (np.inf, 0)):
        yield Case(f"p{p}-{dim}", inputs=[x, np.float64(p), np.int64(dim), np.float64(1.5)], constants=[1, 2, 3], opsets=range(9, 27) if p == 2 else (9, 13, 18, 26), **tolerance)
    yield Case("rank-3", inputs=[np.stack([x, 2 * x]), np.float64(2), np.int64(0), np.float64(1.5)], constants=[1, 2, 3], opsets=(9, 13, 18, 26), **tolerance)
    yield Case("vector", inputs=[x[0], np.float64(2), np.int64(0), np.float64(1.5)], constants=[1, 2, 3], opsets=(13,), refuse="rank(x) is 1, which is not >= 2")
