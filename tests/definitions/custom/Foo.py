# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""custom::Foo: z = x + y.

Source: the Foo of ONNX Runtime's custom operator tests.
"""
import numpy as np

from definition import Case

def define(x, y):
    return x + y


def cases():
    for dtype in (np.float32, np.float64, np.float16, np.int64, np.int32):
        yield Case(str(np.dtype(dtype)), inputs=[np.arange(6, dtype=dtype).reshape(2, 3), np.ones(3, dtype)])
    floats_only = {"kernel": "it takes floats, int32 and int64"}
    for dtype in (np.int8, np.uint8, np.int16):
        yield Case(f"narrow-{np.dtype(dtype)}", inputs=[np.array([[1, 2, 30], [3, 40, 4]], dtype), np.array([5, 0, 20], dtype)], cannot=floats_only)
    yield Case("special", inputs=[np.float32([np.nan, np.inf]), np.float32([1, -np.inf])], also=[[np.zeros(0, np.float32)] * 2])
    flags = np.array([True, False])
    yield Case("bool", inputs=[flags, flags], refuse="BOOL")
