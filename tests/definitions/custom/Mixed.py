# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""custom::Mixed: y = a * c + b, with inputs of three types, in the type of a.

Source: the example of an operator whose inputs have different types.
"""
import numpy as np

from definition import Case


def define(a, b, c):
    return (a * c.astype(a.dtype) + b.astype(a.dtype)).astype(a.dtype)


def cases():
    b, c = np.int64([3, -7, 0, 12]), np.int8([1, -128, 127, 0])
    for dtype in (np.float32, np.float64, np.float16):
        yield Case(f"{np.dtype(dtype)}", inputs=[np.array([0.5, -2, 3, np.inf], dtype), b, c], also=[[np.zeros(0, dtype), b[:0], c[:0]], [np.ones(1, dtype), b[:1], c[:1]]])
