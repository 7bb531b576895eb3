# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.amd.quark::ExtendedQuantizeLinear: x / scale + zero point in the type of the zero point.

Source: QUANTIZE_LINEAR_APPLY of AMD's Quark; numbers of float16 are limited as its CPU kernel limits them.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def along_axis(parameter, axis, rank):
    return parameter.reshape([-1] + [1] * (rank - 1 - axis % rank)) if parameter.size > 1 else parameter.reshape([])


def define(x, scale, zero, axis=1):
    quotient = x / along_axis(scale, axis, x.ndim)
    zeros = along_axis(zero, axis, x.ndim)
    if zero.dtype in (np.float16, ml_dtypes.bfloat16):
        total = quotient + zeros.astype(np.float32)
        return (np.clip(total, -65504, 65504) if zero.dtype == np.float16 else total).astype(zero.dtype)
    limits = np.iinfo(zero.dtype)
    return np.clip(np.rint(quotient).astype(np.int64) + zeros.astype(np.int64), limits.min, limits.max).astype(zero.dtype)


def cases():
    numbers = _random.Numbers()
    step = {"rtol": 0, "atol": 1, "why": _random.STEP_WHY}
    scales = np.float32([0.5, 0.25, 2])
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32):
        name = np.dtype(dtype)
        x = numbers.floats(2, 3, 4) * np.float32(np.iinfo(dtype).max * 0.3)
        yield Case(f"tensor-{name}", inputs=[x, np.float32(0.5), dtype(7)], **step)
        yield Case(f"axis-{name}", inputs=[x, scales, np.array([7, 3, 2], dtype)], attributes={"axis": 1}, shapes="static", **step)
    yield Case("list-of-one", inputs=[x[0], np.float32([0.5]), np.uint16([3])], constants=[1, 2], **step)
    yield Case("last-axis-int32", inputs=[np.float32([[1.5, 2.5, -3e9], [7, -7, 5e9]]), scales, np.int32([1, 2, 3])], attributes={"axis": -1}, shapes="static")
    x = numbers.floats(2, 3, 4)
    yield Case("float16", inputs=[x * np.float32(70000), np.float32(1), np.float16(0)])
    yield Case("float16-axis", inputs=[x, scales, np.float16([0, 0, 0])], attributes={"axis": 1}, shapes="static")
    yield Case("of-no-integer", inputs=[x, np.float32(1), np.float32(0)], refuse="y_zero_point")
