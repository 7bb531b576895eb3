# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearMul: a * b of quantized tensors.

Source: ONNX Runtime's contrib operator QLinearMul.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(a, a_scale, a_zero, b, b_scale, b_zero, c_scale, c_zero=None):
    c = _linear.real(a, a_scale, a_zero) * _linear.real(b, b_scale, b_zero)
    return _linear.quantized(c, c_scale, c_zero, a.dtype)


def cases():
    numbers = _random.Numbers()
    scales = [np.float32(scale) for scale in (0.11, 0.05, 0.13)]
    for dtype in (np.uint8, np.int8):
        a, b = numbers.bytes(2, 3, 4, dtype=dtype), numbers.bytes(3, 4, dtype=dtype)
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        inputs = [a, scales[0], dtype(12), b, scales[1], dtype(10), scales[2], dtype(20)]
        yield Case(f"zero-points-{np.dtype(dtype)}", inputs=inputs, constants=[1, 2, 4, 5, 6, 7], **common)
        yield Case(f"no-zero-points-{np.dtype(dtype)}", inputs=[a, scales[0], None, b, scales[1], None, scales[2]], **common)
