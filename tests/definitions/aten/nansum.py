# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::nansum: as NumPy's.

Source: PyTorch's documentation of torch.nansum.
"""
import numpy as np

from definition import Case

def define(x, dim=None, keepdim=False, dtype=None):
    return np.nansum(x, None if dim is None else tuple(np.atleast_1d(dim).tolist()), keepdims=bool(keepdim), dtype=np.float64 if dtype is not None else None)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime sums in another order."}
    x = np.float32([[1, np.nan, 3, 4], [np.nan, 2, np.inf, 0], [1, 1, 1, np.nan]])
    for name, dim in (("one", np.array([1])), ("both", np.array([0, 1])), ("last", np.array([-1]))):
        for keepdim in (False, True):
            yield Case(f"{name}-{keepdim}", inputs=[x, dim, np.bool_(keepdim)], constants=[1, 2], opsets=range(9, 27) if name == "one" else range(11, 27), **tolerance)
    yield Case("all", inputs=[x, None, np.bool_(False)], constants=[2], opsets=(9, 12, 15, 26), **tolerance)
    yield Case("in-double", inputs=[x, np.array([1]), np.bool_(False), np.int64(7)], constants=[1, 2, 3], opsets=(9, 12, 15, 26), **tolerance)
    far = np.int64([[2**53 + 1, 2], [2**62, 2**62 + 1]])
    yield Case("int64", inputs=[far, np.array([1]), np.bool_(False)], constants=[1, 2], opsets=(9, 12, 15, 26), cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("int64-all", inputs=[far], opsets=(9, 12, 15, 26), cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("int32", inputs=[np.int32([[2**31 - 1, 2**31 - 1]]), np.array([1]), np.bool_(False)], constants=[1, 2], opsets=(9, 12, 15, 26), cannot={"openvino": "it computes 64-bit integers in 32 bits"},
               define=lambda x, dim, keepdim: x.sum(1, dtype=np.int64))
