# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Sums of elements; those of integers wrap, and are exact before.

Source: its own definition, in rules/onnx_lower/ExactReduceSum.onnxtxt.
"""
import numpy as np

from definition import Case


def define(data, axes, *, keepdims=1):
    return np.asarray(np.sum(data, axis=tuple(axes.tolist()), dtype=data.dtype, keepdims=bool(keepdims)))


def cases():
    random = np.random.default_rng(40)
    for dtype in (np.int32, np.int64, np.uint32, np.uint64):
        limits = np.iinfo(dtype)
        data = random.integers(limits.min, limits.max, (3, 4, 5), dtype=dtype, endpoint=True)
        data[0, :, 0] = limits.max
        data[1, :, 0] = limits.min
        wide = {"cannot": {"openvino": "it computes 64-bit integers in 32 bits"}}
        for axes in ([1], [-1, 0]):
            yield Case(f"{np.dtype(dtype)}-{len(axes)}-axes", inputs=[data, np.int64(axes)], constants=[1], opsets=range(7, 27),
                       also=[[data[:, :1], np.int64(axes)]], **wide)
        yield Case(f"small-{np.dtype(dtype)}", inputs=[np.array([[1, 2, 3], [4, 5, 6]], dtype), np.int64([1])], attributes={"keepdims": 0},
                   constants=[1])
    many = np.where(np.arange(2**16) % 3 == 0, 2**63 - 1, -(2**62) + 1)
    yield Case("many", inputs=[many, np.int64([0])], constants=[1], opsets=(8, 13), cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    for dtype in (np.float32, np.float64):
        yield Case(f"{np.dtype(dtype)}", inputs=[np.array([[1, 2], [0.5, np.inf]], dtype), np.int64([1])], constants=[1])
