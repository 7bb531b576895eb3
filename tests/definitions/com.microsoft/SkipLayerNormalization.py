# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SkipLayerNormalization: normalizes input + skip + bias along the last axis, and gives mean, 1 / deviation and the sum.

Source: ONNX Runtime's contrib operator SkipLayerNormalization.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, skip, gamma, beta=None, bias=None, epsilon=1e-12):
    total = x + skip
    if bias is not None:
        total = total + bias
    wide = total.astype(np.float64)
    mean = wide.mean(-1, keepdims=True)
    inverse = 1 / np.sqrt(((wide - mean) ** 2).mean(-1, keepdims=True) + epsilon)
    y = (wide - mean) * inverse * gamma.astype(np.float64)
    if beta is not None:
        y = y + beta
    return y.astype(x.dtype), mean.astype(np.float32), inverse.astype(np.float32), total.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    x, skip = numbers.floats(2, 3, 8), numbers.floats(2, 3, 8)
    gamma, beta, bias = numbers.floats(8), numbers.floats(8), numbers.floats(8)
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    for name, inputs in (
        ("all", [x, skip, gamma, beta, bias]),
        ("no-bias", [x, skip, gamma, beta]),
        ("gamma-only", [x, skip, gamma]),
        ("no-beta", [x, skip, gamma, None, bias]),
    ):
        yield Case(name, inputs=inputs, attributes={"epsilon": 1e-5}, outputs=1, **tolerance)
    yield Case("sum", inputs=[x, skip, gamma, beta, bias], outputs=4, absent_outputs=[1, 2], **tolerance)
    yield Case("statistics", inputs=[x, skip, gamma, beta, bias], outputs=3, cannot={"openvino": "it has the first output only"}, **tolerance)
    yield Case("broadcast-skip", inputs=[x, skip[0], gamma, beta, bias], outputs=1, **tolerance)
    half = [value.astype(np.float16) for value in (x, skip, gamma, beta, bias)]
    yield Case("float16", inputs=half, outputs=1, rtol=5e-3, atol=5e-3, why="float16 has eleven bits")
    yield Case("empty", inputs=[x[:0], skip[:0], gamma, beta, bias], outputs=1, cannot={"openvino": "it makes all dimensions zero"})
