# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::nanmean: as NumPy's.

Source: PyTorch's documentation of torch.nanmean.
"""
import numpy as np

from definition import Case

def define(x, dim=None, keepdim=False, dtype=None):
    return np.nanmean(x, None if dim is None else tuple(np.atleast_1d(dim).tolist()), keepdims=bool(keepdim), dtype=np.float64 if dtype is not None else None)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime sums in another order."}
    x = np.float32([[1, np.nan, 3, 4], [np.nan, 2, np.inf, 0], [1, 1, 1, np.nan]])
    for name, dim in (("one", np.array([1])), ("both", np.array([0, 1])), ("last", np.array([-1]))):
        for keepdim in (False, True):
            yield Case(f"{name}-{keepdim}", inputs=[x, dim, np.bool_(keepdim)], constants=[1, 2], opsets=range(9, 27) if name == "one" else range(11, 27), **tolerance)
    yield Case("all", inputs=[x, None, np.bool_(False)], constants=[2], opsets=(9, 12, 15, 26), **tolerance)
    yield Case("in-double", inputs=[x, np.array([1]), np.bool_(False), np.int64(7)], constants=[1, 2, 3], opsets=(9, 12, 15, 26), **tolerance)
