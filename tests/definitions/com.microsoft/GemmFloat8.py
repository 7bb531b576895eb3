# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GemmFloat8: a product of matrices of any floating-point types, with scales, a bias and an activation.

Source: ONNX Runtime's contrib operator GemmFloat8.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, b, c=None, scale_a=1, scale_b=1, *, alpha=1.0, beta=0.0, transA=0, transB=0, dtype=1, activation="NONE"):
    wide_a, wide_b = a.astype(float), b.astype(float)
    y = alpha * scale_a * scale_b * ((wide_a.T if transA else wide_a) @ (wide_b.T if transB else wide_b))
    y = y if c is None else y + beta * c
    return (np.maximum(y, 0) if activation == "RELU" else y).astype({1: np.float32, 10: np.float16}[dtype])


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    a, b, c = numbers.floats(3, 4), numbers.floats(4, 5), numbers.floats(3, 5)
    yield Case("float", inputs=[a, b], attributes={"alpha": 0.5}, **tolerance)
    attributes = {"transA": 1, "transB": 1, "beta": 2.0, "activation": "RELU"}
    yield Case("all", inputs=[a.T.copy(), b.T.copy(), c], attributes=attributes, **tolerance)
    yield Case("bias-of-nothing", inputs=[a, b, c], attributes={"beta": 0.0, "activation": "NONE"}, **tolerance)
    half = {"rtol": 2e-3, "atol": 2e-3, "why": "the result is rounded to half precision"}
    yield Case("half", inputs=[a.astype(np.float16), b.astype(np.float16)], attributes={"dtype": 10}, **half)
    eight = [a.astype(ml_dtypes.float8_e4m3fn), b.T.astype(ml_dtypes.float8_e4m3fn), None, np.float32(0.5), np.float32(3)]
    yield Case("eight", inputs=eight, attributes={"transB": 1}, constants=[0, 1], opsets=range(19, 27), **tolerance)
    yield Case("scaled", inputs=[*eight, np.float32(2)], attributes={"transB": 1}, opsets=(19,), refuse="scaleY")
    yield Case("gelu", inputs=[a, b], attributes={"activation": "GELU"}, opsets=(18,), refuse="activation is")
