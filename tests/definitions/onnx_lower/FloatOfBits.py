# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers rounded to floating-point numbers of few bits.

Source: its own definition, in rules/onnx_lower/FloatOfBits.onnxtxt.
"""
import math

import numpy as np

from definition import Case, definition_of

rounding = definition_of("onnx_lower", "RoundBy")


def round_to(number, gap, least, greatest, mode="ROUND"):
    if math.isnan(number):
        return number
    if math.isinf(number):
        return math.copysign(greatest, number)
    step = max(2.0 ** (math.frexp(number)[1] - 1) if number else 0.0, least) * gap
    return min(max(rounding.round_number(number / step, mode) * step, -greatest), greatest)


def define(x, gap, least, greatest, rounding_mode="ROUND"):
    return np.array([round_to(float(number), float(gap), float(least), float(greatest), rounding_mode) for number in x.ravel()], x.dtype).reshape(x.shape)


def cases():
    numbers = np.random.default_rng(1)
    x = (numbers.standard_normal(64) * np.exp2(numbers.integers(-12, 12, 64))).astype(np.float32)
    bits = [np.float32(0.125), np.float32(2.0**-6), np.float32(448)]
    yield Case("of-8-bits", inputs=[x, *bits], constants=[1, 2, 3])
    halves = np.float32([[1, 1.0625, 1.1875, 1.9375, -1.0625], [2.0**-10, 3 * 2.0**-10, 464, -500, 0]])
    yield Case("halves", inputs=[halves, *bits], also=[[np.float32([[np.nan, np.inf, -np.inf, 1e-40, 3e38]]), *bits]])
    yield Case("floor", inputs=[x, np.float32(0.5), np.float32(1), np.float32(6)], attributes={"rounding_mode": "FLOOR"}, opsets=[13, 18])
