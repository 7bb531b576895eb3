# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::trapezoid: the trapezoidal rule.

Source: PyTorch's documentation of torch.trapezoid.
"""
import numpy as np

from definition import Case

def define(x, dx, dim):
    if np.ndim(dx):
        return np.trapezoid(x.astype(np.float64), dx, axis=int(dim)).astype(x.dtype)
    return (((np.delete(x, 0, int(dim)) + np.delete(x, -1, int(dim))) / 2).sum(int(dim)) * np.asarray(dx).astype(x.dtype)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime sums in another order."}
    x = np.float32([[1, 4, 9, 16], [0, 2, 1, 5], [5, 5, 6, 6]])
    for dim in (0, 1):
        for dx in (np.int64(1), np.float64(0.25)):
            yield Case(f"dim{dim}-{dx}", inputs=[x, dx, np.int64(dim)], constants=[1, 2], opsets=range(9, 27) if dim == 1 else (9, 13, 18, 26), **tolerance)
    yield Case("last", inputs=[x, np.int64(1), np.int64(-1)], constants=[1, 2], opsets=(11, 13, 18, 26), **tolerance)
    t = np.float32([0, 1, 3, 3.5])
    yield Case("points", inputs=[x, t, np.int64(-1)], constants=[2], opsets=range(11, 27), **tolerance)
    yield Case("points-first", inputs=[x, np.float32([0, 2, 2.5]), np.int64(0)], constants=[2], **tolerance)
    yield Case("points-middle", inputs=[np.stack([x, -x]), np.float32([0, 2, 2.5]), np.int64(1)], constants=[2], opsets=(9, 11, 18, 26), **tolerance)
    yield Case("points-of-rows", inputs=[x, np.float32([[0, 1, 2, 3], [1, 2, 4, 8], [-1, 0, 0, 1]]), np.int64(1)], constants=[2], opsets=(9, 11, 18, 26), **tolerance)
    for own, other in ((np.float32, np.float64), (np.float64, np.float32), (np.float32, np.uint8)):
        inputs = [x.astype(own), np.array([0, 1, 3, 4]).astype(other), np.int64(-1)]
        kind = np.result_type(own, other) if other != np.uint8 else own
        yield Case(f"points-{np.dtype(own)}-{np.dtype(other)}", inputs=inputs, constants=[2], opsets=(13, 18, 26), define=lambda x, t, dim, kind=kind: define(x.astype(kind), t, dim), **tolerance)
    yield Case("trapz", domain="org.pytorch.aten", op_type="trapz", inputs=[x, t, np.int64(-1)], constants=[2], opsets=(13, 18, 26), **tolerance)
