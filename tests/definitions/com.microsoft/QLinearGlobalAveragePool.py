# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearGlobalAveragePool: the mean over the spatial dimensions of a quantized tensor.

Source: ONNX Runtime's contrib operator QLinearGlobalAveragePool.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(x, x_scale, x_zero, y_scale, y_zero, channels_last=0):
    axes = tuple(range(1, x.ndim - 1)) if channels_last else tuple(range(2, x.ndim))
    mean = _linear.real(x, x_scale, x_zero).mean(axes, keepdims=True, dtype=np.float64)
    return _linear.quantized(mean, y_scale, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        parameters = [np.float32(0.03), dtype(12), np.float32(0.02), dtype(3)]
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        yield Case(f"first-{np.dtype(dtype)}", inputs=[numbers.bytes(2, 3, 5, 4, dtype=dtype), *parameters], **common)
        last = {"attributes": {"channels_last": 1}, **common}
        yield Case(f"last-{np.dtype(dtype)}", inputs=[numbers.bytes(2, 5, 4, 3, dtype=dtype), *parameters], **last)
        yield Case(f"last-1d-{np.dtype(dtype)}", inputs=[numbers.bytes(2, 5, 3, dtype=dtype), *parameters], **last)
