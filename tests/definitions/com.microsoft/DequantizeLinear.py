# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DequantizeLinear: (x - zero point) * scale, per tensor or along an axis.

Source: ONNX Runtime's contrib operator DequantizeLinear.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale, zero=None, axis=1):
    shape = [-1] + [1] * (x.ndim - 1 - axis % x.ndim) if scale.size > 1 else []
    offset = 0 if zero is None else zero.astype(np.int64).reshape(shape)
    return ((x.astype(np.int64) - offset) * scale.reshape(shape).astype(np.float64)).astype(scale.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.int32):
        info, name = np.iinfo(dtype), np.dtype(dtype)
        x = numbers.integers(max(info.min, -(2**20)), min(info.max, 2**20), 2, 3, 4).astype(dtype)
        zero, zeros = (0, [0, 0, 0]) if dtype == np.int32 else (7, [7, 3, 2])
        rounded = {"rtol": 1e-6, "atol": 0, "why": "a float product is rounded"}
        yield Case(f"tensor-{name}", inputs=[x, np.float32(0.02), dtype(zero)], **rounded)
        yield Case(f"no-zero-point-{name}", inputs=[x, np.float32(0.02)], **rounded)
        scales = np.float32([0.02, 0.03, 0.1])
        yield Case(f"axis-{name}", inputs=[x, scales, np.array(zeros, dtype)], attributes={"axis": 1}, **rounded)
        yield Case(f"negative-axis-{name}", inputs=[x, scales, np.array(zeros, dtype)], attributes={"axis": -2}, shapes="static", **rounded)
        yield Case(f"default-axis-{name}", inputs=[x[..., :3], scales, np.array(zeros, dtype)], **rounded)
        yield Case(f"list-of-one-{name}", inputs=[x[0, 0, 0], scales[:1], dtype(zero)], shapes="static", **rounded)
    x = numbers.bytes(2, 3)
    yield Case("float16", inputs=[x, np.float16(0.02), np.uint8(7)], rtol=2e-3, atol=1e-3, why="float16 has eleven bits")
    # Integers of 4 bits are of opset 21; test_contrib_models.py unpacks constants of them.
    codes = np.arange(6).reshape(2, 3).astype(ml_dtypes.uint4)
    yield Case("four-bits", inputs=[codes, np.float32(0.1)], opsets=range(9, 21), refuse="has no integers of 4 bits, and input 0 is not a constant that can be unpacked")
