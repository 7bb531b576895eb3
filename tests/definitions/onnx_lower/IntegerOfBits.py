# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers limited to the integers of so many bits, and rounded.

Source: its own definition, in rules/onnx_lower/IntegerOfBits.onnxtxt.
"""
import numpy as np

from definition import Case, definition_of

rounding = definition_of("onnx_lower", "RoundBy")


def define(x, bits, narrow, rounding_mode, signed):
    codes = range(-(2 ** (int(bits) - 1)) if signed else 0, 2 ** (int(bits) - 1) if signed else 2 ** int(bits))
    codes = codes[1:] if narrow and signed else codes[:-1] if narrow else codes
    return rounding.define(np.where(np.isnan(x), x, np.clip(x, codes[0], codes[-1])), rounding_mode)


def cases():
    x = np.float32([[-200.0, -128.0, -7.5, -7.25, -1.5, -0.5], [np.inf, np.nan, 0.75, 1.5, 7.5, 300.25]])
    for signed in (0, 1):
        for narrow in (0, 1):
            attributes = {"signed": signed, "narrow": narrow, "rounding_mode": "ROUND"}
            yield Case(f"signed-{signed}-narrow-{narrow}", inputs=[x, np.float32(4)], attributes=attributes)
            yield Case(f"eight-{signed}-narrow-{narrow}", inputs=[x, np.float32(8)], attributes=attributes, constants=[1], opsets=[9, 13, 18])
    yield Case("floor", inputs=[x[0], np.float32(3)], attributes={"signed": 1, "narrow": 0, "rounding_mode": "FLOOR"}, opsets=[11, 18])
