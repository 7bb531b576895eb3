# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""qonnx.custom_op.general::FloatQuant: what remains of a number that is written as a floating-point number of so many bits.

Source: qonnx/custom_op/general/floatquant.py of QONNX.
"""
import math

import numpy as np

from definition import Case, definition_of

rounding = definition_of("onnx_lower", "RoundBy")


def define(x, scale, exponent_bits, mantissa_bits, bias, max_val, rounding_mode="ROUND", saturation=1, **_):
    exponent_bits, mantissa_bits, bias = float(exponent_bits), float(mantissa_bits), float(bias)
    greatest = min((2 - 2.0**-mantissa_bits) * 2.0 ** (2**exponent_bits - 1 - bias), float(max_val))

    def of_number(number):
        exponent = math.floor(math.log2(abs(number) + 2.0**-126)) - mantissa_bits
        step = 2.0 ** max(exponent, 1 - bias - mantissa_bits)
        return min(max(rounding.round_number(number / step, rounding_mode) * step, -greatest), greatest)

    numbers = (x / scale).astype(np.float32)
    return (np.vectorize(of_number, otypes=[np.float32])(numbers) * scale).astype(np.float32)


def cases():
    numbers = np.random.default_rng(4)
    x = (numbers.standard_normal((2, 3, 20)) * np.exp2(numbers.integers(-9, 9, (2, 3, 20)))).astype(np.float32)
    usual = {"has_inf": 0, "has_nan": 1, "has_subnormal": 1, "saturation": 1, "rounding_mode": "ROUND"}
    one = np.float32(1)
    for name, bits in {"e4m3": (4, 3, 7, 448), "e5m2": (5, 2, 15, 57344), "e2m1": (2, 1, 1, 6), "e3m2": (3, 2, 3, 28)}.items():
        yield Case(name, inputs=[x, one, *map(np.float32, bits)], attributes=usual, constants=[1, 2, 3, 4, 5])
    bits = [np.float32(number) for number in (4, 3, 7, 448)]
    channels = np.float32([0.25, 0.5, 2]).reshape(1, 3, 1)
    yield Case("scale-per-channel", inputs=[x, channels, *bits], attributes=usual, constants=[1, 2, 3, 4, 5], constants_as="node", opsets=[13, 18])
    yield Case("floor", inputs=[x, one, *bits], attributes={**usual, "rounding_mode": "FLOOR"}, constants=[2, 3, 4, 5], opsets=[13, 18])
    yield Case("limits-of-format", inputs=[x * 4, one, *bits[:3], np.float32(1e9)], attributes=usual, constants=[2, 3, 4, 5], opsets=[13, 18])
    yield Case("infinite", inputs=[x, one, *bits], attributes={**usual, "saturation": 0}, refuse="saturation")
