# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cumulative_trapezoid: the trapezoidal rule up to each point.

Source: PyTorch's documentation of torch.cumulative_trapezoid.
"""
import numpy as np

from definition import Case

def define(x, dx, dim):
    dim = int(dim) % x.ndim
    if np.ndim(dx) == 0:
        steps = float(dx)
    elif np.ndim(dx) == 1:
        steps = np.diff(dx).reshape([-1 if axis == dim else 1 for axis in range(x.ndim)])
    else:
        steps = np.diff(dx, axis=dim)
    areas = (np.delete(x, 0, dim).astype(np.float64) + np.delete(x, -1, dim)) / 2 * steps
    return np.cumsum(areas, dim).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime sums in another order."}
    x = np.float32([[1, 4, 9, 16], [0, 2, 1, 5], [5, 5, 6, 6]])
    yield Case("default", inputs=[x, np.int64(1), np.int64(-1)], constants=[1, 2], opsets=range(11, 27), **tolerance)
    yield Case("first", inputs=[x, np.float64(0.25), np.int64(0)], constants=[1, 2], opsets=(11, 13, 18, 26), **tolerance)
    yield Case("points", inputs=[x, np.float32([0, 1, 3, 3.5]), np.int64(1)], constants=[2], opsets=(11, 13, 18, 26), **tolerance)
    yield Case("points-of-rows", inputs=[x, np.float32([[0, 1, 2, 3], [1, 2, 4, 8], [-1, 0, 0, 1]]), np.int64(1)], constants=[2], opsets=(11, 13, 18, 26), **tolerance)
