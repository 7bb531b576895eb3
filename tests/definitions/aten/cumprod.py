"""aten::cumprod: the cumulative product; integers give int64.

Source: PyTorch's documentation of torch.cumprod.
"""
import numpy as np

from definition import Case

TYPES = {7: np.float64, 6: np.float32, 4: np.int64}


def define(x, dim, dtype=None):
    kind = TYPES[int(dtype)] if dtype is not None else np.int64 if x.dtype.kind in "iu" else x.dtype
    return np.cumprod(x, int(dim), dtype=kind) if x.ndim else x.astype(kind)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime multiplies in single precision one by one.", "cannot": {"openvino": "it loses the shape of Scan's output, or crashes"}}
    x = np.float32([[1, -2, 0.5, 3], [0, 1, np.nan, 2], [4, np.inf, 1, 0]])
    for dim in (0, 1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(dim)], constants=[1], **tolerance)
    yield Case("last", inputs=[x, np.int64(-1)], constants=[1], opsets=range(11, 27), **tolerance)
    yield Case("none", inputs=[x, np.int64(1), None], constants=[1], opsets=(9, 12, 26), **tolerance)
    yield Case("scalar", inputs=[np.float32(3), np.int64(0)], constants=[1], opsets=(9, 12, 26))
    for dtype in ("float64", "int64", "int32", "int8"):
        yield Case(dtype, inputs=[np.array([[1, 2, -3], [4, 0, 6]], dtype), np.int64(1)], constants=[1], opsets=(9, 11, 12, 15, 26), **tolerance)
    yield Case("in-double", inputs=[np.float32([1.5, 2.5, 3.5]), np.int64(0), np.int64(7)], constants=[1, 2], opsets=(9, 11, 12, 15, 26), **tolerance)
