# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearConv: QLinearConv, channels first or last.

Source: ONNX Runtime's contrib operator QLinearConv.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")
_conv = definition_of("com.microsoft", "_conv")


def define(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias=None, channels_last=0, **attributes):
    image = x.astype(np.int64) - int(x_zero)
    filters = w.astype(np.int64) - np.reshape(w_zero, (-1, 1, 1, 1)).astype(np.int64)
    y = _conv.conv(_conv.channels_first(image) if channels_last else image, filters, bias, **attributes)
    y = y * np.reshape(x_scale * w_scale, (-1, 1, 1))
    return _linear.quantized(_conv.channels_last(y) if channels_last else y, y_scale, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    common = {"rtol": 0, "atol": 1, "why": _random.STEP_WHY, "constants": [1, 2, 3, 4, 5, 6, 7]}
    w, bias = numbers.weights(6, 4, 3, 3, dtype=np.int8), numbers.integers(-99, 99, 6, dtype=np.int32)
    inputs = [numbers.bytes(1, 8, 8, 4), np.float32(0.03), np.uint8(12), w, np.float32(0.02), np.int8(0), np.float32(0.4), np.uint8(5), bias]
    yield Case("last", inputs=inputs, attributes={"channels_last": 1, "pads": [1, 1, 1, 1]}, **common)
    columns = numbers.positive(6) / 50
    inputs = [numbers.bytes(1, 8, 7, 7), np.float32(0.03), np.uint8(12), w, columns, np.zeros(6, np.int8), np.float32(0.4), np.uint8(5)]
    yield Case("first-per-channel", inputs=inputs, attributes={"group": 2, "strides": [2, 2]}, **common)
    yield Case("first-per-channel-bias", inputs=[*inputs, bias], attributes={"group": 2, "strides": [2, 2]}, **{**common, "constants": [1, 2, 3, 4, 5, 6, 7, 8]})
    one = [numbers.bytes(1, 2, 5, 7), np.float32(0.03), np.uint8(12), numbers.weights(1, 2, 3, 2, dtype=np.int8), np.float32([0.02]), np.int8([3]), np.float32(0.4), np.uint8(5)]
    yield Case("list-of-one-scale", inputs=one, **common)
    yield Case("list-of-one-scale-last", inputs=[np.moveaxis(one[0], 1, -1), *one[1:]], attributes={"channels_last": 1}, **common)
    for dtype in (np.int8, np.uint8):
        zeros = np.zeros(6, np.int8) if dtype == np.int8 else numbers.bytes(6)
        filters = numbers.weights(6, 2, 3, 2, dtype=dtype)
        inputs = [numbers.bytes(2, 7, 8, 4), np.float32(0.03), np.uint8(12), filters, columns, zeros, np.float32(0.4), np.uint8(5), bias]
        yield Case(f"last-per-channel-{np.dtype(dtype)}", inputs=inputs, attributes={"channels_last": 1, "group": 2, "strides": [2, 1], "pads": [1, 0, 1, 1]}, **common)
    inputs = [numbers.bytes(1, 2, 5, 7), np.float32(0.03), np.uint8(12), np.int8(3), np.float32(0.02), np.int8(0), np.float32(0.4), np.uint8(5), bias]
    yield Case("filter-of-one-number", inputs=inputs, opsets=[9], refuse="dimension 1 of input 1 (w) is not known")
