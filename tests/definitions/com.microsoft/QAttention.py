# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QAttention: Attention of quantized input and weights.

Source: ONNX Runtime's contrib operator QAttention.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
attention = definition_of("com.microsoft", "Attention").define


def define(x, weight, bias, x_scale, weight_scale, mask_index=None, x_zero=None, weight_zero=None, past=None, **attributes):
    real = (x.astype(np.float64) - (0 if x_zero is None else float(x_zero))) * x_scale
    weights = (weight.astype(np.float64) - (0 if weight_zero is None else weight_zero.astype(np.float64))) * weight_scale
    return tuple(part.astype(np.float32) for part in attention(real, weights, bias, mask_index, past, **attributes))


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-3, "atol": 1e-4, "why": _random.FLOAT_WHY}
    x, w, bias = numbers.bytes(2, 5, 16), numbers.weights(16, 48, dtype=np.int8), numbers.floats(48)
    x_scale, w_scale = np.float32(0.02), np.float32(0.01)
    heads = {"num_heads": 4}
    yield Case("plain", inputs=[x, w, bias, x_scale, w_scale, None, np.uint8(128), np.int8(3)], attributes=heads, outputs=1, constants=[1, 2],
               **tolerance)
    columns = numbers.positive(48) / 100
    yield Case("per-column", inputs=[x, w, bias, x_scale, columns, np.int32([3, 5]), np.uint8(128)], attributes=heads, outputs=1,
               constants=[1, 2, 4], opsets=range(10, 27), **tolerance)
    past = numbers.floats(2, 2, 4, 3, 4)
    yield Case("past", inputs=[x, w, bias, x_scale, w_scale, None, np.uint8(128), np.int8(0), past],
               attributes={"num_heads": 4, "unidirectional": 1}, **tolerance)
