# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatedRMSNorm: groups of as many elements as scale has, divided by the root of their mean square and scaled; times gate * sigmoid(gate), or
sigmoid(gate).

Source: ONNX Runtime's contrib operator GatedRMSNorm.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale, gate, activation="silu", epsilon=1e-5):
    groups = x.astype(float).reshape(-1, len(scale))
    y = (groups / np.sqrt((groups**2).mean(-1, keepdims=True) + epsilon) * scale).reshape(x.shape)
    openness = 1 / (1 + np.exp(-gate.astype(float)))
    return (y * openness * (1 if activation == "sigmoid" else gate)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    for activation in ("silu", "swish", "sigmoid"):
        yield Case(activation, inputs=[numbers.floats(2, 3, 8), numbers.floats(8), numbers.floats(2, 3, 8)], attributes={"activation": activation}, **tolerance)
    yield Case("heads", inputs=[numbers.floats(2, 3, 8), numbers.floats(4), numbers.floats(2, 3, 8)], attributes={"epsilon": 0.5}, **tolerance)
    half = [numbers.floats(2, 8, dtype=np.float16), numbers.floats(8, dtype=np.float16), numbers.floats(2, 8, dtype=np.float16)]
    yield Case("half", inputs=half, rtol=2e-3, atol=1e-3, why="the result is rounded to half precision")
