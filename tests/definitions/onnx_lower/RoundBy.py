# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers rounded to integers.

Source: its own definition, in rules/onnx_lower/RoundBy.onnxtxt; the modes are those of QONNX.
"""
import math

import numpy as np

from definition import Case


def _away_at_half(size):
    return math.floor(size) + (size - math.floor(size) >= 0.5)


def _towards_zero_at_half(size):
    return math.floor(size) + (size - math.floor(size) > 0.5)


# What becomes of the absolute value, or of the number itself.
_OF_SIZE = {"UP": math.ceil, "DOWN": math.floor, "HALF_UP": _away_at_half, "HALF_DOWN": _towards_zero_at_half}
_OF_NUMBER = {"ROUND": round, "HALF_EVEN": round, "CEIL": math.ceil, "FLOOR": math.floor}


def round_number(number, mode):
    if not math.isfinite(number):
        return number
    mode = mode.upper()
    return float(_OF_NUMBER[mode](number)) if mode in _OF_NUMBER else math.copysign(_OF_SIZE[mode](abs(number)), number) + 0.0


def define(x, mode):
    return np.array([round_number(float(number), mode) for number in x.ravel()], x.dtype).reshape(x.shape)


def cases():
    x = np.float32([[-2.5, -2.25, -1.5, -1.0, -0.75, -0.5], [0.25, 0.5, 0.75, 1.5, 2.5, 3.0]])
    for mode in [*_OF_SIZE, *_OF_NUMBER]:
        yield Case(mode.lower(), inputs=[x], attributes={"mode": mode})
        yield Case(f"{mode.lower()}-small-letters", inputs=[x[0]], attributes={"mode": mode.lower()}, opsets=[18])
    yield Case("double", inputs=[np.float64([0.5, 1.5, np.inf, np.nan])], attributes={"mode": "HALF_UP"})
    yield Case("unknown", inputs=[x], attributes={"mode": "SOMEHOW"}, refuse="mode")
