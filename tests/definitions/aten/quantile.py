# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::quantile: quantiles along a dimension; NaN where there is a NaN.

Source: PyTorch's documentation of torch.quantile.
"""
import numpy as np

from definition import Case


def define(x, q, dim=None, keepdim=False, interpolation="linear"):
    method = "linear" if interpolation is None else str(interpolation)
    return np.quantile(x.astype(np.float64), q.astype(x.dtype).astype(np.float64), None if dim is None else int(dim), keepdims=bool(keepdim), method=method).astype(x.dtype)


def text(word):
    return np.array(word, object)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "The places are computed in the type of x."}
    x = np.random.default_rng(0).standard_normal((3, 5, 4)).astype(np.float32)
    some = np.float32([0.25, 0.7, 1])
    for name, q in (("one", np.float32(0.3)), ("some", some)):
        for dim in (None, 0, 1, -1):
            for keepdim in (False, True):
                inputs = [x, q, None if dim is None else np.int64(dim), np.bool_(keepdim), text("linear")]
                yield Case(f"{name}-{dim}-{keepdim}", inputs=inputs, constants=[1, 3, 4] if dim is None else [1, 2, 3, 4], opsets=range(11, 27) if dim == 1 and keepdim else (11, 13, 26), **tolerance)
    for word in ("lower", "higher", "midpoint", "nearest"):
        yield Case(word, inputs=[x, some, np.int64(1), np.bool_(False), text(word)], constants=[1, 2, 3, 4], opsets=(11, 13, 26), **tolerance)
    yield Case("nan", inputs=[np.float32([[1, np.nan, 2], [3, 5, 4]]), np.float32(0.5), np.int64(1), np.bool_(False), text("linear")], constants=[1, 2, 3, 4], opsets=(11, 13, 26))
    yield Case("double", inputs=[x.astype(np.float64), np.float64([0.1]), np.int64(1), np.bool_(False), text("linear")], constants=[1, 2, 3, 4], opsets=(11, 13, 26), **tolerance)
