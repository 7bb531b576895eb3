# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::QuantizeLinear: x / scale rounded to even, moved by the zero point and limited.

Source: ONNX QuantizeLinear-10, QuantizeLinear-13.
"""
import numpy as np

from definition import Case


def define(x, scale, zero=None, *, axis=1):
    zero = np.zeros(scale.shape, np.uint8) if zero is None else zero
    limits = np.iinfo(zero.dtype)
    if scale.ndim == 1:
        shape = [-1 if k == axis % x.ndim else 1 for k in range(x.ndim)]
        scale, zero = scale.reshape(shape), zero.reshape(shape)
    return np.clip(np.round(x / scale) + zero.astype(np.float32), limits.min, limits.max).astype(zero.dtype)


def cases():
    x = np.float32([[-300, -0.25, 0.25, 0.75], [1, 2.5, 100, 200]])
    yield Case("tensor", inputs=[x, np.float32(0.5), np.uint8(128)])
    yield Case("no-zero", inputs=[x, np.float32(0.5)])
    yield Case("int8", inputs=[x, np.float32(0.5), np.int8(-5)], cannot={"openvino": "it rounds halves away from zero"})
    scales, zeros = np.float32([0.5, 0.25, 2, 4]), np.uint8([0, 1, 128, 255])
    yield Case("axis", inputs=[x, scales, zeros], written_for=13)
    yield Case("axis-0", inputs=[x, scales[:2], zeros[:2]], attributes={"axis": 0}, written_for=13)
