# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MatMulInteger: the product of integers less their zero points.

Source: ONNX MatMulInteger-10.
"""
import numpy as np

from definition import Case


def define(a, b, a_zero=None, b_zero=None):
    a, b = a.astype(np.int32), b.astype(np.int32)
    if a_zero is not None:
        a = a - (a_zero.astype(np.int32)[:, None] if a_zero.ndim == 1 else a_zero.astype(np.int32))
    if b_zero is not None:
        b = b - b_zero.astype(np.int32)
    return a @ b


def cases():
    a, b = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40, np.arange(12, dtype=np.int8).reshape(3, 4) - 6
    yield Case("plain", inputs=[a, b])
    yield Case("zero-of-a", inputs=[a, b, np.uint8(7)])
    yield Case("zero-of-b", inputs=[a, b, None, np.int8(-2)], cannot={"openvino": "its MatMulInteger wants all or no zero points"})
    yield Case("both", inputs=[a, b, np.uint8(7), np.int8(-2)])
    yield Case("rows", inputs=[a, b, np.uint8([7, 9]), np.int8(1)], opsets=[9])
    yield Case("columns", inputs=[a, b, np.uint8(7), np.int8([1, 2, 3, 4])])
