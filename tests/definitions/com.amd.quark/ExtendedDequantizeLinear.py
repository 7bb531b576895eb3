# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.amd.quark::ExtendedDequantizeLinear: (x - zero point) * scale.

Source: DEQUANTIZE_LINEAR_APPLY of AMD's Quark.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
along_axis = definition_of("com.amd.quark", "ExtendedQuantizeLinear").along_axis


def define(x, scale, zero, axis=1):
    zeros = along_axis(zero, axis, x.ndim)
    wide = np.int64 if zero.dtype.kind in "iu" else np.float32
    return ((x.astype(wide) - zeros.astype(wide)).astype(np.float32) * along_axis(scale, axis, x.ndim)).astype(np.float32)


def cases():
    scales = np.float32([0.5, 0.25, 2])
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32):
        name, limits = np.dtype(dtype), np.iinfo(dtype)
        x = np.array([[limits.min, 5, limits.max], [3, 100, 17]], dtype)
        yield Case(f"tensor-{name}", inputs=[x, np.float32(0.1), dtype(7)])
        yield Case(f"axis-{name}", inputs=[x, scales, np.array([7, 3, 2], dtype)], attributes={"axis": 1}, shapes="static")
    yield Case("bias", inputs=[np.int32([100000, -5, 7]), scales, np.int32([0, 0, 0])], attributes={"axis": 0}, constants=[0, 1, 2])
    yield Case("list-of-one", inputs=[x[0], np.float32([0.5]), np.int32([3])], constants=[1, 2])
    numbers = _random.Numbers().floats(2, 3)
    yield Case("float16", inputs=[numbers.astype(np.float16), np.float32(1), np.float16(0)])
    yield Case("constant-bfloat16", inputs=[numbers.astype(ml_dtypes.bfloat16), np.float32(1), np.array(0, ml_dtypes.bfloat16)], constants=[0, 1, 2], opsets=range(13, 27))
