# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""qonnx.custom_op.general::Quant: what remains of a number that is written with so many bits.

Source: qonnx/custom_op/general/intquant.py of QONNX.
"""
import numpy as np

from definition import Case, definition_of

integers = definition_of("onnx_lower", "IntegerOfBits")


def define(x, scale, zero, bits, narrow, signed, rounding_mode="ROUND"):
    codes = x / scale + zero
    if signed and bits == 1:
        codes = np.where(codes >= 0, 1, -1).astype(x.dtype)
    else:
        codes = integers.define(codes, np.ravel(bits)[0], narrow, rounding_mode, signed)
    return ((codes - zero) * scale).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(3)
    x = (3 * numbers.standard_normal((2, 3, 4))).astype(np.float32)
    zero, bits = np.float32(0), np.float32(4)
    usual = {"signed": 1, "narrow": 0, "rounding_mode": "ROUND"}
    yield Case("usual", inputs=[x, np.float32(0.25), zero, bits], attributes=usual, constants=[1, 2, 3])
    yield Case("from-nodes", inputs=[x, np.float32(0.25), zero, bits], attributes=usual, constants=[1, 2, 3], constants_as="node", opsets=[13, 18])
    yield Case("narrow", inputs=[x, np.float32(0.5), zero, bits], attributes={**usual, "narrow": 1}, constants=[3])
    yield Case("unsigned", inputs=[x, np.float32(0.125), np.float32(2), bits], attributes={**usual, "signed": 0}, constants=[3])
    channels = np.float32([0.25, 0.5, 1]).reshape(1, 3, 1)
    yield Case("scale-per-channel", inputs=[x, channels, zero, np.float32([8])], attributes=usual, constants=[3])
    for mode in ("CEIL", "FLOOR", "UP", "DOWN", "HALF_UP", "HALF_DOWN", "HALF_EVEN"):
        yield Case(mode.lower(), inputs=[x, np.float32(0.25), zero, bits], attributes={**usual, "rounding_mode": mode}, constants=[3], opsets=[13, 18])
    yield Case("one-bit", inputs=[np.float32([-2, -0.0, 0, 0.25, np.nan]), np.float32(0.5), zero, np.float32(1)], attributes=usual, constants=[3])
    yield Case("one-bit-unsigned", inputs=[x, np.float32(0.5), zero, np.float32(1)], attributes={**usual, "signed": 0}, constants=[3])
    yield Case("defaults", inputs=[x, np.float32(0.25), zero, bits], attributes={"signed": 1, "narrow": 0}, constants=[3], opsets=[18])
    yield Case("width-not-known", inputs=[x, np.float32(0.25), zero, bits], attributes=usual, refuse="bitwidth")
