# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearWhere: x where the condition holds, else y; all quantized.

Source: ONNX Runtime's contrib operator QLinearWhere.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(condition, x, x_scale, x_zero, y, y_scale, y_zero, z_scale, z_zero):
    chosen = np.where(condition, _linear.real(x, x_scale, x_zero), _linear.real(y, y_scale, y_zero))
    return _linear.quantized(chosen, z_scale, z_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        x, y = numbers.bytes(2, 3, dtype=dtype), numbers.bytes(3, dtype=dtype)
        inputs = [np.array([[True], [False]]), x, np.float32(0.03), dtype(12), y, np.float32(0.02), dtype(3), np.float32(0.04), dtype(5)]
        yield Case(f"{np.dtype(dtype)}", inputs=inputs, opsets=_linear.FROM_10, rtol=0, atol=1, why=_random.STEP_WHY)
