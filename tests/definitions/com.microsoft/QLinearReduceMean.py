# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearReduceMean: the mean along axes of a quantized tensor.

Source: ONNX Runtime's contrib operator QLinearReduceMean.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(x, x_scale, x_zero, y_scale, y_zero=None, *, axes, keepdims):
    mean = _linear.real(x, x_scale, x_zero).mean(tuple(axes), keepdims=bool(keepdims), dtype=np.float64)
    return _linear.quantized(mean, y_scale, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        x = numbers.bytes(2, 5, 4, 3, dtype=dtype)
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        yield Case(f"keep-{np.dtype(dtype)}", inputs=[x, np.float32(0.03), dtype(12), np.float32(0.02), dtype(3)],
                   attributes={"axes": [1, 2], "keepdims": 1}, **common)
        yield Case(f"drop-{np.dtype(dtype)}", inputs=[x, np.float32(0.03), None, np.float32(0.02)],
                   attributes={"axes": [3], "keepdims": 0}, **common)
