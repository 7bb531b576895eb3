# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DynamicQuantizeMatMul: the product of A, quantized to uint8 over its range and zero, with a quantized B.

Source: ONNX Runtime's contrib operator DynamicQuantizeMatMul; ONNX's DynamicQuantizeLinear.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(a, b, b_scale, b_zero=None, bias=None):
    low, high = min(float(a.min()), 0.0), max(float(a.max()), 0.0)
    scale = np.float32((np.float32(high) - np.float32(low)) / np.float32(255)) if high > low else np.float32(1)
    zero = np.uint8(np.clip(np.rint(-np.float32(low) / scale), 0, 255))
    left = _linear.quantized(a, scale, zero, np.uint8).astype(np.int64) - int(zero)
    right = b.astype(np.int64) - (0 if b_zero is None else b_zero.astype(np.int64))
    y = (left @ right) * (np.float64(scale) * b_scale)
    return (y if bias is None else y + bias).astype(np.float32)


def cases():
    numbers = _random.Numbers()
    a = numbers.floats(2, 3, 8)
    common = {"opsets": range(10, 27), "rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "constants": [1, 2]}
    for dtype in (np.uint8, np.int8):
        b = numbers.weights(8, 5, dtype=dtype)
        yield Case(f"zero-point-{np.dtype(dtype)}", inputs=[a, b, np.float32(0.02), dtype(3)], **common)
        yield Case(f"per-column-{np.dtype(dtype)}", inputs=[a, b, numbers.positive(5), numbers.bytes(5, dtype=dtype), numbers.floats(5)], **common)
        yield Case(f"bias-only-{np.dtype(dtype)}", inputs=[a, b, np.float32(0.02), None, numbers.floats(5)], **common)
    zeros = np.zeros((2, 8), np.float32)
    yield Case("zeros", inputs=[zeros, numbers.weights(8, 5, dtype=np.uint8), np.float32(0.02), np.uint8(3), numbers.floats(5)], **common)
