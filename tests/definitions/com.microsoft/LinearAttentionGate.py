# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::LinearAttentionGate: decay_scale * softplus(a + dt_bias), and sigmoid(b).

Source: ONNX Runtime's contrib operator LinearAttentionGate.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, dt_bias, decay_scale, b=None):
    decay = (decay_scale * np.logaddexp(0, a.astype(np.float64) + dt_bias)).astype(a.dtype)
    return decay if b is None else (decay, (1 / (1 + np.exp(-b.astype(np.float64)))).astype(b.dtype))


def cases():
    numbers = _random.Numbers()
    near = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    inputs = [numbers.floats(2, 3, 4), numbers.floats(4), -numbers.positive(4), numbers.floats(2, 3, 4)]
    yield Case("both", inputs=inputs, **near)
    yield Case("decay", inputs=inputs[:3], **near)
    yield Case("large", inputs=[inputs[0] * 100, *inputs[1:]], rtol=1e-5, atol=1e-5, why="OpenVINO's Softplus of numbers far below zero")
    half = [inputs[0].astype(np.float16), *inputs[1:3], inputs[3].astype(np.float16)]
    yield Case("half", inputs=half, rtol=2e-3, atol=1e-3, why="the result is rounded to half precision")
