# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

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
    tolerance = {"rtol": 1e-6, "why": "The runtime multiplies in single precision, and in another order."}
    scan = {"cannot": {"openvino": "it gives a Scan, which is left at opset 9 where the size is not known, the shape 0"}, **tolerance}
    x = np.float32([[1, -2, 0.5, 3], [0, 1, np.nan, 2], [4, np.inf, 1, 0]])
    for dim in (0, 1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(dim)], constants=[1], **scan)
        yield Case(f"dim{dim}-from-10", inputs=[x, np.int64(dim)], constants=[1], opsets=range(10, 27), also=[[x[:1], np.int64(dim)], [x[:2, :2], np.int64(dim)]], **tolerance)
        yield Case(f"dim{dim}-static", inputs=[x, np.int64(dim)], constants=[1], shapes="static", **tolerance)
    for size in (1, 2, 7, 8, 9, 33):
        yield Case(f"size-{size}", inputs=[np.linspace(-1.5, 1.4, 3 * size).reshape(size, 3).astype(np.float32), np.int64(0)], constants=[1], shapes="static", opsets=(9, 12, 26),
                   rtol=1e-5, why="The runtime multiplies in single precision, and in another order.")
    yield Case("last", inputs=[x, np.int64(-1)], constants=[1], opsets=range(11, 27), **tolerance)
    yield Case("none", inputs=[x, np.int64(1), None], constants=[1], opsets=(9, 12, 26), shapes="static", **tolerance)
    for dtype in ("float32", "int8", "int64"):
        yield Case(f"unranked-scalar-{dtype}", inputs=[np.array(3, dtype), np.int64(0)], constants=[1], opsets=(10, 12, 26), shapes=["unranked", "static"], output_shapes="unranked")
        yield Case(f"scalar-{dtype}", inputs=[np.array(3, dtype), np.int64(0)], constants=[1], opsets=(9, 12, 26))
    for dtype in ("float64", "int64", "int32", "int8"):
        yield Case(dtype, inputs=[np.array([[1, 2, -3], [4, 0, 6]], dtype), np.int64(1)], constants=[1], opsets=(9, 11, 12, 15, 26), shapes="static", **tolerance)
    yield Case("in-double", inputs=[np.float32([1.5, 2.5, 3.5]), np.int64(0), np.int64(7)], constants=[1, 2], opsets=(9, 11, 12, 15, 26), shapes="static", **tolerance)
    yield Case("unranked", inputs=[x, np.int64(0)], constants=[1], shapes="unranked", opsets=(11, 15, 26), **tolerance)
    yield Case("unranked-last", inputs=[x, np.int64(-1)], constants=[1], shapes="unranked", opsets=(11, 15, 26), refuse="the rank of input 0 (x) is not known")
    yield Case("unsigned", inputs=[np.array([[1, 2, 3], [40000, 2, 6]], np.uint16), np.int64(1)], constants=[1], opsets=(9, 12, 26), shapes="static")
