# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QuantizeLinear: round(x / scale) + zero point, saturated; to uint8 without a zero point.

Source: ONNX Runtime's contrib operator QuantizeLinear.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale, zero=None, axis=1):
    shape = [-1] + [1] * (x.ndim - 1 - axis % x.ndim) if scale.size > 1 else []
    dtype = np.dtype(np.uint8) if zero is None else zero.dtype
    info = np.iinfo(dtype)
    steps = np.rint(x / scale.reshape(shape)) + (0 if zero is None else zero.astype(np.int64).reshape(shape))
    return np.clip(steps, info.min, info.max).astype(dtype)


def cases():
    numbers = _random.Numbers()
    step = {"rtol": 0, "atol": 1, "why": _random.STEP_WHY}
    for dtype in (np.uint8, np.int8, np.uint16, np.int16):
        name = np.dtype(dtype)
        x = numbers.floats(2, 3, 4) * np.float32(np.iinfo(dtype).max * 0.01)
        yield Case(f"tensor-{name}", inputs=[x, np.float32(0.02), dtype(7)], **step)
        scales, zeros = np.float32([0.02, 0.03, 0.1]), np.array([7, 3, 2], dtype)
        yield Case(f"axis-{name}", inputs=[x, scales, zeros], attributes={"axis": 1}, shapes="static", **step)
        yield Case(f"default-axis-{name}", inputs=[x[..., :3], scales, zeros], **step)
        yield Case(f"list-of-one-{name}", inputs=[x[0, 0, 0], np.float32(0.02), zeros[:1]], shapes="static", **step)
    yield Case("no-zero-point", inputs=[x, np.float32(0.5)], **step)
    yield Case("float16", inputs=[numbers.floats(2, 3, dtype=np.float16), np.float16(0.02), np.uint8(100)], **step)
    yield Case("ties", inputs=[np.float32([0.5, 1.5, 2.5, -0.5, -1.5]), np.float32(1), np.int8(0)])
    four = np.array(3, ml_dtypes.int4)
    yield Case("four-bits", inputs=[numbers.floats(2, 3), np.float32(0.1), four], constants=[2], expected=[np.zeros((2, 3), ml_dtypes.int4)], opsets=range(9, 21),
               refuse="its result has 4 bits, and integers of so few are of opset 21")
