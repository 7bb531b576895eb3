# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::DequantizeLinear: (x - zero point) * scale.

Source: ONNX DequantizeLinear-10, DequantizeLinear-13, DequantizeLinear-21.
"""
import ml_dtypes
import numpy as np

from definition import Case


def define(x, scale, zero=None, *, axis=1, block_size=0):
    if block_size:
        block = np.arange(x.shape[axis]) // block_size
        scale, zero = scale.take(block, axis), None if zero is None else zero.astype(np.int32).take(block, axis)
    elif scale.ndim == 1:
        shape = [-1 if k == axis % x.ndim else 1 for k in range(x.ndim)]
        scale, zero = scale.reshape(shape), None if zero is None else zero.reshape(shape)
    return ((x.astype(np.int32) - (0 if zero is None else zero.astype(np.int32))).astype(np.float32) * scale).astype(np.float32)


def cases():
    x = np.array([[0, 3, 128, 255], [1, 2, 100, 200]], np.uint8)
    yield Case("tensor", inputs=[x, np.float32(0.1), np.uint8(128)])
    yield Case("no-zero", inputs=[x, np.float32(0.1)])
    yield Case("int8", inputs=[(x.astype(int) - 128).astype(np.int8), np.float32(0.1), np.int8(-5)])
    scales, zeros = np.float32([0.1, 0.2, 0.3, 4]), np.uint8([0, 1, 128, 255])
    yield Case("axis", inputs=[x, scales, zeros], written_for=13)
    yield Case("axis-0", inputs=[x, scales[:2], zeros[:2]], attributes={"axis": -2}, written_for=13)
    scales = np.float32([[0.1, 0.2], [0.3, 4]])
    yield Case("blocks", inputs=[x, scales, np.uint8([[0, 1], [128, 255]])], attributes={"block_size": 2}, written_for=21, opsets=range(11, 27))
    yield Case("blocks-axis-0", inputs=[np.tile(x, (3, 1))[:5], np.float32([[0.1], [0.2], [3]]).repeat(4, 1)], attributes={"block_size": 2, "axis": -2}, written_for=21, opsets=range(11, 27))
    yield Case("blocks-of-known-sizes", inputs=[np.stack([x, x[::-1]]), np.float32([[[0.1, 0.2, 0.3, 4]], [[1, 2, 3, 4]]]), np.uint8([[[0, 1, 2, 128]], [[128, 255, 3, 4]]])],
               attributes={"axis": 1, "block_size": 2}, written_for=21, shapes=[("n", 2, 4), "static", "static"])
    # Integers of 4 bits are of opset 21; constants of them become bytes below.
    for dtype in (ml_dtypes.int4, ml_dtypes.uint4):
        codes = np.arange(-8 if dtype == ml_dtypes.int4 else 0, 7 if dtype == ml_dtypes.int4 else 15).reshape(3, 5).astype(dtype)  # an odd number of them
        four = {"constants": [0, 2], "written_for": 21}
        name = np.dtype(dtype)
        yield Case(f"constant-{name}", inputs=[codes, np.float32(0.1), codes[0, 3]], **four)
        yield Case(f"constant-no-zero-{name}", inputs=[codes, np.float32(0.1)], **four)
        yield Case(f"constant-axis-{name}", inputs=[codes, np.float32([0.1, 0.2, 4]), codes[:, 2].copy()], attributes={"axis": 0}, **four)
        yield Case(f"constant-blocks-{name}", inputs=[codes[:, :4].copy(), np.float32([[0.1, 0.2]] * 3), codes[:, :2].copy()], attributes={"axis": 1, "block_size": 2}, **four)
