# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::pairwise_distance: the p-norm of x1 - x2 + eps along the last dimension.

Source: PyTorch's documentation of torch.nn.PairwiseDistance.
"""
import numpy as np

from definition import Case


def define(x1, x2, p, eps, keepdim):
    difference = abs(x1.astype(np.float64) - x2 + float(eps))
    norm = difference.max(-1) if np.isinf(p) else (difference ** float(p)).sum(-1) ** (1 / float(p))
    return (norm[..., None] if keepdim else norm).astype(x1.dtype)


def cases():
    x, z = np.float32([[1, 2, 3], [4, 0, 3]]), np.float32([[-1, 2.5, 7], [0, 0, 0]])
    tolerance = {"rtol": 2e-6, "why": "The runtime computes powers and sums in float."}
    for p in (1.0, 2.0, 3.0, np.inf):
        yield Case(f"p{p}", inputs=[x, z, np.float64(p), np.float64(1e-3), np.bool_(False)], constants=[2, 3, 4], opsets=range(9, 27) if p == 2 else (9, 13, 26), **tolerance)
    yield Case("keepdim", inputs=[x, z[0], np.float64(2), np.float64(1e-6), np.bool_(True)], constants=[2, 3, 4], opsets=(9, 13, 26), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), z.astype(np.float64), np.float64(2), np.float64(1e-6), np.bool_(False)], constants=[2, 3, 4], opsets=(9, 13, 26), **tolerance)
