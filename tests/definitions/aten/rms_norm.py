# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::rms_norm: the last dimensions divided by the root of their mean square, and times a weight.

Source: PyTorch's documentation of torch.nn.RMSNorm.
"""
import numpy as np

from definition import Case


def define(x, shape, weight=None, eps=None):
    axes = tuple(range(-len(shape), 0))
    least = np.finfo(x.dtype).eps if eps is None else eps
    y = x / np.sqrt(np.mean(np.float64(x) ** 2, axis=axes, keepdims=True) + least)
    return (y if weight is None else y * weight).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(9)
    x, weight = numbers.standard_normal((2, 3, 4)).astype(np.float32), numbers.standard_normal((3, 4)).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "sums in another order"}
    yield Case("usual", inputs=[x, np.array([4]), weight[0], np.float64(1e-5)], constants=[1, 3], **near)
    yield Case("two-dimensions", inputs=[x, np.array([3, 4]), weight, np.float64(0.5)], constants=[1, 3], **near)
    yield Case("no-epsilon", inputs=[x * np.float32(1e-3), np.array([4]), weight[0]], constants=[1], **near)
    yield Case("no-weight", inputs=[x, np.array([4]), None, np.float64(1e-5)], constants=[1, 3], **near)
    yield Case("neither", inputs=[x, np.array([4])], constants=[1], **near)
    yield Case("double", inputs=[np.float64(x), np.array([4]), np.float64(weight[0])], constants=[1], opsets=(13, 18, 23), **near)
    half = [x.astype(np.float16), np.array([4]), weight[0].astype(np.float16)]
    yield Case("half", inputs=half, constants=[1], opsets=(13, 18, 23), rtol=4e-3, atol=2e-3, why="the quotient and the product are rounded to half precision")
    for shapes in ("symbolic", "static", "unranked"):
        yield Case(f"vector-{shapes}", inputs=[x[0, 0], np.array([4])], constants=[1], shapes=shapes, opsets=(9, 13, 18, 22, 23) if shapes != "unranked" else (23,), **near)
