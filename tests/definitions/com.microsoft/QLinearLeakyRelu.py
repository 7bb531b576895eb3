# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearLeakyRelu: LeakyRelu of a quantized tensor.

Source: ONNX Runtime's contrib operator QLinearLeakyRelu.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(x, x_scale, x_zero, y_scale, y_zero=None, alpha=0.01):
    value = _linear.real(x, x_scale, x_zero)
    return _linear.quantized(np.where(value >= 0, value, np.float32(alpha) * value), y_scale, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        x = numbers.bytes(2, 30, dtype=dtype)
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        inputs = [x, np.float32(0.03), dtype(100), np.float32(0.02), dtype(30)]
        yield Case(f"alpha-{np.dtype(dtype)}", inputs=inputs, attributes={"alpha": 0.2}, **common)
        yield Case(f"default-{np.dtype(dtype)}", inputs=[x, np.float32(0.03), None, np.float32(0.02)], **common)
