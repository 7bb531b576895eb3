# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QOrderedLayerNormalization: layer normalization of int8.

Source: ONNX Runtime's contrib operator QOrderedLayerNormalization and its CUDA kernel.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_quantize = definition_of("com.microsoft", "QuantizeWithOrder")


def define(x, scale_x, scale, bias, scale_y, epsilon=1e-5, **more):
    wide = x.astype(float) * scale_x
    normal = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + epsilon) * scale
    return _quantize.quantized(normal if bias is None else normal + bias, scale_y)


def cases():
    numbers = _random.Numbers()
    x = numbers.bytes(2, 3, 32, dtype=np.int8)
    tolerance = {"atol": 1, "why": _random.STEP_WHY}
    for dtype in (np.float32, np.float16):
        scale, bias = numbers.floats(32, dtype=dtype), numbers.floats(32, dtype=dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[x, np.float32(0.05), scale, bias, np.float32(0.03)], **tolerance)
        yield Case(f"{np.dtype(dtype)}-no-bias", inputs=[x, np.float32(0.05), scale, None, np.float32(0.03)], attributes={"epsilon": 0.25, "order_X": 1, "order_Y": 1}, **tolerance)
    yield Case("tiles", inputs=[x, np.float32(1), numbers.floats(32), None, np.float32(1)], attributes={"order_X": 2, "order_Y": 2}, opsets=(18,), refuse="order_X is 2, not 1")
