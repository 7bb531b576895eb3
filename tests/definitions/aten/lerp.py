# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::lerp: start + weight (end - start), reckoned from the end where the weight is one half or more, which tells where one of them is infinite.

Source: PyTorch's documentation of torch.lerp, and its kernel.
"""
import numpy as np

from definition import Case

def define(x, end, weight):
    weight = weight.astype(x.dtype).astype(np.float64)
    way = end.astype(np.float64) - x
    return np.where(np.abs(weight) < 0.5, x + weight * way, end - way * (1 - weight)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "It rounds in another order."}
    x, end = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([0.5, -2, 3])
    yield Case("number", inputs=[x, end, np.float64(0.3)], constants=[2], **tolerance)
    yield Case("number-above-half", inputs=[x, end, np.float64(0.8)], constants=[2], opsets=(9, 15, 26), **tolerance)
    yield Case("tensor", inputs=[x, end, np.float32([[0], [1]])], opsets=(9, 12, 15, 26), **tolerance)
    infinite = np.float32([[np.inf, -np.inf, np.nan], [-np.inf, 1, np.inf]])
    for weight in (0.3, 0.8):
        yield Case(f"infinite-{weight}", inputs=[infinite, end, np.float64(weight)], constants=[2], opsets=(9, 26), **tolerance)
        yield Case(f"to-infinity-{weight}", inputs=[x, infinite, np.float64(weight)], constants=[2], opsets=(9, 26), **tolerance)
