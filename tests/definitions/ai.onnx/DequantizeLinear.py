"""ai.onnx::DequantizeLinear: (x - zero point) * scale.

Source: ONNX DequantizeLinear-10, DequantizeLinear-13.
"""
import numpy as np

from definition import Case


def define(x, scale, zero=None, *, axis=1):
    if scale.ndim == 1:
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
