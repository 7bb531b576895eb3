# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Shrink: what is nearer to 0 than lambd becomes 0, the rest moves towards it by bias.

Source: ONNX Shrink-9; the numbers are floats, and so is the arithmetic, as in ONNX Runtime's kernel.
"""
import numpy as np

from definition import Case


def define(x, bias=0.0, lambd=0.5):
    wide = x.astype(np.float64)
    return np.where(wide < -np.float32(lambd), wide + np.float32(bias), np.where(wide > np.float32(lambd), wide - np.float32(bias), 0)).astype(x.dtype)


def cases():
    for dtype in (np.float32, np.float64, np.float16, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
        numbers = [0, 1, 2, 3, 100] if np.issubdtype(dtype, np.unsignedinteger) else [-100, -3, -2, -1, 0, 1, 2, 3, 100]
        x = np.array(numbers, dtype)
        # An integer that is moved past 0 by an unsigned type's arithmetic is undefined: none is.
        for name, attributes in (("half", {}), ("above-1", {"lambd": 1.5, "bias": 1.5}), ("wide", {"lambd": 2.5, "bias": 0.25})):
            rounds = attributes and np.issubdtype(dtype, np.integer)
            yield Case(f"{name}-{np.dtype(dtype)}", inputs=[x], attributes=attributes, cannot={"openvino": "it makes its numbers integers first"} if rounds else {})
