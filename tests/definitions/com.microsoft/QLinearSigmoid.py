# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearSigmoid: the sigmoid of a quantized tensor.

Source: ONNX Runtime's contrib operator QLinearSigmoid.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(x, x_scale, x_zero, y_scale, y_zero=None):
    return _linear.quantized(1 / (1 + np.exp(-_linear.real(x, x_scale, x_zero))), y_scale, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        x = numbers.bytes(2, 30, dtype=dtype)
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        yield Case(f"zero-points-{np.dtype(dtype)}", inputs=[x, np.float32(0.03), dtype(12), np.float32(1 / 256), dtype(0)], **common)
        yield Case(f"no-zero-points-{np.dtype(dtype)}", inputs=[x, np.float32(0.03), None, np.float32(1 / 256)], **common)
