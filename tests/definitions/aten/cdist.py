# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cdist: the p-norms of the differences of all rows of x1 and x2.

Source: PyTorch's documentation of torch.cdist.
"""
import numpy as np

from definition import Case


def define(x1, x2, p, compute_mode=None):
    difference = abs(x1.astype(np.float64)[..., :, None, :] - x2[..., None, :, :])
    return (difference.max(-1) if np.isinf(p) else (difference ** float(p)).sum(-1) ** (1 / float(p))).astype(x1.dtype)


def cases():
    x, z = np.float32([[1, 2, 3], [4, 0, 3]]), np.float32([[-1, 2.5, 7], [0, 0, 0], [4, 0, 3]])
    tolerance = {"rtol": 2e-6, "why": "The runtime computes powers and sums in float."}
    for p in (1.0, 2.0, 3.0, np.inf):
        yield Case(f"p{p}", inputs=[x, z, np.float64(p), None], constants=[2], opsets=range(9, 27) if p == 2 else (9, 13, 26), **tolerance)
    yield Case("batch", inputs=[np.stack([x, -x]), z, np.float64(2), np.int64(1)], constants=[2, 3], opsets=(9, 13, 26), **tolerance)
    yield Case("p0", inputs=[x, z, np.float64(0)], constants=[2], opsets=(13,), refuse="value_of_p is 0")
