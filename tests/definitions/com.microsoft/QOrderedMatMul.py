# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QOrderedMatMul: a product of int8, of which the second matrix lies column by column.

Source: ONNX Runtime's contrib operator QOrderedMatMul and its CUDA kernel.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, scale_a, b, scale_b, scale_y, bias=None, c=None, scale_c=None, **orders):
    rows, columns = b.shape[-2:]
    by_column = b.reshape(*b.shape[:-2], columns, rows).swapaxes(-1, -2)
    total = a.astype(float) @ by_column.astype(float) * scale_a * scale_b / scale_y
    total = total if bias is None else total + bias
    total = total if c is None else total + c.astype(float) * scale_c / scale_y
    return np.clip(np.rint(total), -128, 127).astype(np.int8)


def cases():
    numbers = _random.Numbers()
    orders = {"order_A": 1, "order_B": 0, "order_Y": 1}
    a, b = numbers.bytes(2, 3, 16, dtype=np.int8), numbers.bytes(16, 8, dtype=np.int8)
    tolerance = {"atol": 1, "why": _random.STEP_WHY}
    scales = [np.float32(0.02), np.float32(0.01), np.float32(0.3)]
    product = [a, scales[0], b, scales[1], scales[2]]
    yield Case("matrix", inputs=product, attributes=orders, constants=[2], **tolerance)
    yield Case("bias", inputs=[*product, 20 * numbers.floats(8)], attributes=orders, constants=[2], **tolerance)
    c = numbers.bytes(1, 3, 8, dtype=np.int8)
    yield Case("sum", inputs=[*product, None, c, np.float32(0.1)], attributes=orders, constants=[2], **tolerance)
    columns = (numbers.positive(8) / 50).astype(np.float32)
    batches = numbers.bytes(2, 16, 8, dtype=np.int8)
    yield Case("all", inputs=[a, scales[0], batches, columns, scales[2], 20 * numbers.floats(8), c, np.float32(0.1)], attributes=orders, shapes="static", **tolerance)
    yield Case("tiles", inputs=product, attributes={"order_A": 2, "order_B": 3, "order_Y": 2}, constants=[2], opsets=(18,), refuse="order_A is 2, not 1")
