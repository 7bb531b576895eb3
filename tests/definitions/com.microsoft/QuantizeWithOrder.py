# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QuantizeWithOrder: numbers as int8, in one of cuBLAS's orders.

Source: ONNX Runtime's contrib operator QuantizeWithOrder and its CUDA kernels; cuBLAS's documentation of cublasLtOrder_t.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
ROW, COL, COL32 = 1, 0, 2


def quantized(x, scale):
    return np.clip(np.rint(x.astype(np.float32) * (np.float32(1) / np.float32(scale))), -128, 127).astype(np.int8)


def places(order, rows, columns):
    """Where the element of each row and column lies in memory."""
    row, column = np.indices((rows, columns))
    if order == ROW:
        return row * columns + column
    return column * rows + row if order == COL else column // 32 * 32 * rows + row * 32 + column % 32


def in_order(x, order):
    memory = np.empty((int(np.prod(x.shape[:-2])), x.shape[-2] * x.shape[-1]), x.dtype)
    memory[:, places(order, *x.shape[-2:]).reshape(-1)] = x.reshape(len(memory), -1)
    return memory.reshape(x.shape)


def define(x, scale, order_input, order_output):
    return in_order(quantized(x, scale), order_output)


def cases():
    numbers = _random.Numbers()
    x = 3 * numbers.floats(2, 3, 64)
    for name, order in {"rows": ROW, "columns": COL, "tiles": COL32}.items():
        attributes = {"order_input": ROW, "order_output": order}
        yield Case(name, inputs=[x, np.float32(0.03)], attributes=attributes, shapes=[("b", "r", 64), ()], also=[[x[:1, :2], np.float32(1)]])
    yield Case("half", inputs=[x.astype(np.float16), np.float32(0.03)], attributes={"order_input": ROW, "order_output": COL})
    yield Case("other-tiles", inputs=[x, np.float32(1)], attributes={"order_input": ROW, "order_output": 4}, opsets=(18,), refuse="order_output is 4, not")
