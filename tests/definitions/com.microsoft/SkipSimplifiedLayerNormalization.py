# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SkipSimplifiedLayerNormalization: root mean square normalization of input + skip + bias along the last axis.

Source: ONNX Runtime's contrib operator SkipSimplifiedLayerNormalization.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, skip, gamma, bias=None, epsilon=1e-12):
    total = x + skip
    if bias is not None:
        total = total + bias
    wide = total.astype(np.float64)
    inverse = 1 / np.sqrt((wide**2).mean(-1, keepdims=True) + epsilon)
    mean = wide.mean(-1, keepdims=True)
    return (wide * inverse * gamma).astype(x.dtype), mean.astype(np.float32), inverse.astype(np.float32), total.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    x, skip, gamma, bias = numbers.floats(2, 3, 8), numbers.floats(2, 3, 8), numbers.floats(8), numbers.floats(8)
    yield Case("bias", inputs=[x, skip, gamma, bias], attributes={"epsilon": 1e-5}, outputs=1, **tolerance)
    yield Case("no-bias", inputs=[x, skip, gamma], outputs=1, **tolerance)
    yield Case("sum", inputs=[x, skip, gamma, bias], outputs=4, absent_outputs=[1, 2], **tolerance)
    yield Case("sum-no-bias", inputs=[x[0], skip[0], gamma], outputs=4, absent_outputs=[1, 2], **tolerance)
    half = [value.astype(np.float16) for value in (x, skip, gamma)]
    yield Case("float16", inputs=half, outputs=1, rtol=5e-3, atol=5e-3, why="float16 has eleven bits")
