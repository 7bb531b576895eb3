# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QGemm: alpha * A * B + C of quantized matrices, where C is quantized with scale alpha * a_scale * b_scale.

Source: ONNX Runtime's contrib operator QGemm.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(a, a_scale, a_zero, b, b_scale, b_zero, c=None, y_scale=None, y_zero=None, alpha=1.0, transA=0, transB=0):
    left = (a.T if transA else a).astype(np.int64) - int(a_zero)
    right = (b.T if transB else b).astype(np.int64) - np.asarray(b_zero, np.int64)
    total = left @ right + (0 if c is None else c.astype(np.int64))
    y = (total * (np.float64(alpha) * a_scale * b_scale)).astype(np.float32)
    return y if y_scale is None else _linear.quantized(y, y_scale, y_zero, y_zero.dtype)


def cases():
    numbers = _random.Numbers()
    a_scale, y_scale = np.float32(0.02), np.float32(0.1)
    for trans_a, trans_b in ((0, 0), (0, 1), (1, 0), (1, 1)):
        a = numbers.bytes(8, 3) if trans_a else numbers.bytes(3, 8)
        b = numbers.weights(5, 8, dtype=np.int8) if trans_b else numbers.weights(8, 5, dtype=np.int8)
        c = numbers.integers(-999, 999, 5, dtype=np.int32)
        attributes = {"transA": trans_a, "transB": trans_b}
        yield Case(f"quantized-{trans_a}{trans_b}", attributes=attributes, opsets=_linear.FROM_10, rtol=0, atol=1, why=_random.STEP_WHY,
                   inputs=[a, a_scale, np.uint8(100), b, np.float32(0.03), np.int8(2), c, y_scale, np.uint8(90)])
        columns = numbers.positive(5) / 50
        yield Case(f"float-{trans_a}{trans_b}", attributes={**attributes, "alpha": 0.5}, opsets=_linear.FROM_10, rtol=1e-5, atol=1e-5,
                   inputs=[a, a_scale, np.uint8(100), b, columns, numbers.bytes(5, dtype=np.int8), c], why=_random.FLOAT_WHY)
    yield Case("no-summand", inputs=[a.T.copy(), a_scale, np.uint8(100), b.T.copy(), np.float32(0.03), np.int8(2), None, y_scale, np.uint8(90)],
               opsets=_linear.FROM_10, rtol=0, atol=1, why=_random.STEP_WHY)
