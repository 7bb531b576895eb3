# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""custom::my_add: y = 2a + b.

Source: the my_add kernel of the PyTorch custom operator tutorial.
"""
import numpy as np

from definition import Case

def define(a, b):
    return 2 * a + b


def cases():
    for dtype in (np.float32, np.float64, np.float16, np.int64, np.int32):
        a, b = np.arange(6, dtype=dtype).reshape(2, 3), np.ones(3, dtype)
        yield Case(f"broadcast-{np.dtype(dtype)}", inputs=[a, b])
    floats_only = {"kernel": "it takes floats, int32 and int64"}
    for dtype in (np.int8, np.uint8, np.int16):
        yield Case(f"narrow-{np.dtype(dtype)}", inputs=[np.array([[1, 2, 30], [3, 40, 4]], dtype), np.array([5, 0, 20], dtype)], cannot=floats_only)
    yield Case("empty", inputs=[np.zeros((0, 3), np.float32), np.float32(1)])
    yield Case("special", inputs=[np.float32([np.nan, np.inf, 3e38]), np.float32([1, -np.inf, 1])])
    yield Case("scalars", inputs=[np.float32(2), np.float32(1)], shapes="static", opsets=(9, 13, 26))
    yield Case("unranked", inputs=[np.float32([2, 3]), np.float32([1])], shapes="unranked", opsets=(9, 13, 26))
    flags = np.array([True, False])
    yield Case("bool", inputs=[flags, flags], refuse="BOOL")
