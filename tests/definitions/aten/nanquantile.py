# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::nanquantile: quantiles, along a dimension, of what is not NaN.

Source: PyTorch's documentation of torch.nanquantile.
"""
import warnings

import numpy as np

from definition import Case


def define(x, q, dim=None, keepdim=False, interpolation="linear"):
    with warnings.catch_warnings(action="ignore"):  # of slices that have no number
        return np.nanquantile(x.astype(np.float64), q.astype(x.dtype).astype(np.float64), None if dim is None else int(dim), keepdims=bool(keepdim), method=str(interpolation)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "The places are computed in the type of x."}
    x = np.random.default_rng(0).standard_normal((3, 5)).astype(np.float32)
    x[0, 1:3] = x[2] = np.nan
    for name, q in (("one", np.float32(0.3)), ("some", np.float32([0.25, 0.7, 1]))):
        for dim in (None, 0, -1):
            for keepdim in (False, True):
                inputs = [x, q, None if dim is None else np.int64(dim), np.bool_(keepdim), np.array("linear", object)]
                yield Case(f"{name}-{dim}-{keepdim}", inputs=inputs, constants=[1, 3, 4] if dim is None else [1, 2, 3, 4], opsets=range(11, 27) if dim == 0 and keepdim else (11, 13, 26), **tolerance)
    yield Case("lower", inputs=[x, np.float32(0.6), np.int64(1), np.bool_(False), np.array("lower", object)], constants=[1, 2, 3, 4], opsets=(11, 13, 26))
