# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::logcumsumexp: log of the cumulative sum of exp.

Source: PyTorch's documentation of torch.logcumsumexp.
"""
import numpy as np

from definition import Case

def define(x, dim):
    kind = x.dtype if x.dtype.kind == "f" else np.dtype(np.float32)
    return (np.logaddexp.accumulate(x.astype(np.float64), int(dim)) if x.ndim else x).astype(kind)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "The runtime's exp and log round at each step."}
    x = np.float32([[1, -2, 100, 3], [-np.inf, -np.inf, 2, np.nan], [4, np.inf, 1, 0]])
    for dim in (0, 1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(dim)], constants=[1], opsets=range(11, 27), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), np.int64(-1)], constants=[1], opsets=(11, 15, 26), **tolerance)
    yield Case("int64", inputs=[np.array([[1, 2], [3, 4]]), np.int64(1)], constants=[1], opsets=(11, 15, 26), **tolerance)
    for dtype in ("float32", "int64"):
        yield Case(f"scalar-{dtype}", inputs=[np.array(3, dtype), np.int64(0)], constants=[1], opsets=(11, 26))
    yield Case("unranked", inputs=[x, np.int64(-1)], constants=[1], shapes="unranked", opsets=(11, 26), refuse="the rank of input 0 (x) is not known")
