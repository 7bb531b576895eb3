# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::running: of all elements up to each one along a dimension, or from each one on, the sum, product, maximum, minimum or logsumexp.

Source: what ONNX's CumSum and PyTorch's torch.cumprod, cummax, cummin and logcumsumexp share.
"""
import numpy as np

from definition import Case, definition_of

SUMS = {"sum": np.add, "product": np.multiply, "logsumexp": np.logaddexp}
define_cummax = definition_of("aten", "cummax").define


def define(x, dim, operation, reverse=0):
    if operation in ("maximum", "minimum"):
        sign = 1 if operation == "maximum" else -1
        values, indices = define_cummax(sign * x, dim)
        return sign * values, indices
    x = np.flip(x, int(dim)) if reverse else x
    y = SUMS[operation].accumulate(x, int(dim), dtype=x.dtype if x.dtype.kind in "iu" else np.float64).astype(x.dtype)
    return np.flip(y, int(dim)) if reverse else y


def cases():
    generator = np.random.default_rng(0)
    tolerance = {"constants": [1], "rtol": 1e-5, "atol": 1e-5, "why": "The runtime computes in single precision, and in another order."}
    newer = {"opsets": range(10, 27), **tolerance}  # computed bounds of Slice
    for operation in ("sum", "product", "logsumexp", "maximum", "minimum"):
        attributes = {"operation": operation}
        for dim in (0, 1, -1):
            x = generator.standard_normal((4, 5)).astype(np.float32)
            yield Case(f"{operation}-{dim}", inputs=[x, np.int64(dim)], attributes=attributes, also=[[x[:3, :2], np.int64(dim)], [x[:1, :1], np.int64(dim)]], **newer)
            yield Case(f"{operation}-{dim}-static", inputs=[x, np.int64(dim)], attributes=attributes, shapes="static", **tolerance)
        yield Case(f"{operation}-vector", inputs=[generator.standard_normal(9).astype(np.float32), np.int64(0)], attributes=attributes, shapes="static", **tolerance)
        if operation != "logsumexp":
            integers = generator.integers(-2, 3, (2, 9))
            yield Case(f"{operation}-int64", inputs=[integers, np.int64(1)], attributes=attributes, constants=[1], shapes="static")
            yield Case(f"{operation}-int32", inputs=[integers.astype(np.int32), np.int64(1)], attributes=attributes, constants=[1], opsets=range(10, 27))
    for operation in ("sum", "product"):
        yield Case(f"{operation}-reversed", inputs=[x, np.int64(1)], attributes={"operation": operation, "reverse": 1}, **newer)
        yield Case(f"{operation}-reversed-static", inputs=[x, np.int64(0)], attributes={"operation": operation, "reverse": 1}, shapes="static", **tolerance)
    yield Case("unknown", inputs=[x, np.int64(1)], attributes={"operation": "mean"}, constants=[1], refuse="it does not know the operation 'mean'")
