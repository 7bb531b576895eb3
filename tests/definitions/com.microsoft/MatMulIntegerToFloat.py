# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulIntegerToFloat: the product of quantized matrices, as float.

Source: ONNX Runtime's contrib operator MatMulIntegerToFloat.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(a, b, a_scale, b_scale, a_zero=None, b_zero=None, bias=None):
    left = a.astype(np.int64) - (0 if a_zero is None else a_zero.astype(np.int64))
    right = b.astype(np.int64) - (0 if b_zero is None else b_zero.astype(np.int64))
    y = (left @ right) * (np.float64(a_scale) * b_scale)
    return (y if bias is None else y + bias).astype(np.float32)


def cases():
    numbers = _random.Numbers()
    common = {"opsets": _linear.FROM_10, "rtol": 1e-5, "atol": 1e-4, "why": _random.FLOAT_WHY}
    a = numbers.bytes(2, 3, 8)
    for dtype in (np.uint8, np.int8):
        b = numbers.weights(8, 5, dtype=dtype)
        inputs = [a, b, np.float32(0.1), numbers.positive(5), np.uint8(100), numbers.bytes(5, dtype=dtype), numbers.floats(5)]
        yield Case(f"all-{np.dtype(dtype)}", inputs=inputs, **common)
        yield Case(f"scales-{np.dtype(dtype)}", inputs=[a, b, np.float32(0.1), np.float32(0.02)], **common)
        for bias in ([], [numbers.floats(5)]):
            inputs = [a, b, np.float32(0.1), np.float32(0.02), None, dtype(7), *bias]
            yield Case(f"second-zero-point-{np.dtype(dtype)}{'-bias' if bias else ''}", inputs=inputs, **common)
        yield Case(f"bias-{np.dtype(dtype)}", inputs=[a, b, np.float32(0.1), np.float32(0.02), None, None, numbers.floats(5)], **common)
