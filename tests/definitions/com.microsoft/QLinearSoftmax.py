# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearSoftmax: Softmax of a quantized tensor, as ONNX's opset `opset` means it.

Source: ONNX Runtime's contrib operator QLinearSoftmax.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(x, x_scale, x_zero, y_scale, y_zero, opset, axis=-1):
    value = _linear.real(x, x_scale, x_zero)
    axes = axis if opset >= 13 else tuple(range(axis % x.ndim, x.ndim))
    powers = np.exp(value - value.max(axis=axes, keepdims=True))
    # So many steps the kernel takes for 1.
    steps = np.floor(np.float32(1) / np.float32(y_scale))
    return _linear.quantized(powers / powers.sum(axis=axes, keepdims=True) * steps, 1, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        inputs = [numbers.bytes(2, 3, 5, dtype=dtype), np.float32(0.03), dtype(12), np.float32(1 / 256), dtype(0)]
        common = {"inputs": inputs, "opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        for name, attributes in (("last", {"opset": 13}), ("middle", {"opset": 13, "axis": 1}), ("together", {"opset": 12, "axis": 1})):
            yield Case(f"{name}-{np.dtype(dtype)}", attributes=attributes, **common)
        for scale in (1 / 255, 0.0071):
            wide = [inputs[0], np.float32(0.3), dtype(12), np.float32(scale), dtype(0 if dtype == np.uint8 else -128)]
            yield Case(f"steps-{round(1 / scale)}-{np.dtype(dtype)}", **{**common, "inputs": wide}, attributes={"opset": 13}, constants=[1, 2, 3, 4])
