# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BiasSplitGelu: the left half of x + bias times Gelu of the right half.

Source: ONNX Runtime's contrib operator BiasSplitGelu.
"""
import numpy as np

from definition import Case, definition_of

gelu = definition_of("com.microsoft", "Gelu").gelu
_random = definition_of("com.microsoft", "_random")


def define(x, bias):
    left, right = np.split((x + bias).astype(np.float64), 2, axis=-1)
    return (left * gelu(right)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    inputs = [numbers.floats(2, 3, 8), numbers.floats(8)]
    yield Case("static", inputs=inputs, shapes="static", rtol=1e-5, atol=1e-5, why=_random.FLOAT_WHY)
    yield Case("symbolic", inputs=inputs, shapes=[("n", "s", 8), (8,)], rtol=1e-5, atol=1e-5, why=_random.FLOAT_WHY)
