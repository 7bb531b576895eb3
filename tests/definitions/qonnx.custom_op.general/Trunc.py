# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""qonnx.custom_op.general::Trunc: integers that lose their lowest bits.

Source: qonnx/custom_op/general/trunc.py of QONNX, both versions.
"""
import numpy as np

from definition import Case, definition_of

integers = definition_of("onnx_lower", "IntegerOfBits")
rounding = definition_of("onnx_lower", "RoundBy")


def define(x, scale, zero, bits_in, *rest, rounding_mode="FLOOR", narrow=0, signed=1):
    codes = np.rint(x / scale + zero)
    if len(rest) == 1:
        less = rounding.define(codes / np.float32(2) ** (bits_in - rest[0]), rounding_mode)
        return ((less - zero) * scale).astype(x.dtype)
    step = np.exp2(np.rint(np.log2(rest[0] / scale)))
    less = integers.define((codes / step).astype(x.dtype), rest[1], narrow, rounding_mode, signed)
    return ((less - zero / step) * rest[0]).astype(x.dtype)


def cases():
    x = (np.arange(-20, 20).reshape(5, 8) * 0.25).astype(np.float32)
    quarter, zero = np.float32(0.25), np.float32(0)
    for mode in ("FLOOR", "ROUND", "CEIL"):
        yield Case(f"first-{mode.lower()}", inputs=[x, quarter, zero, np.float32(6), np.float32(4)], attributes={"rounding_mode": mode}, constants=[1, 2, 3, 4])
        yield Case(f"second-{mode.lower()}", inputs=[x, quarter, zero, np.float32(6), np.float32(1), np.float32(3)],
                   attributes={"rounding_mode": mode, "narrow": 1, "signed": 1}, constants=[1, 2, 3, 4, 5])
    yield Case("moved", inputs=[x, quarter, np.float32(4), np.float32(6), np.float32(4)], attributes={"rounding_mode": "FLOOR"})
    yield Case("unsigned", inputs=[x, quarter, np.float32(4), np.float32(6), np.float32(0.5), np.float32(3)], attributes={"rounding_mode": "FLOOR", "signed": 0})
