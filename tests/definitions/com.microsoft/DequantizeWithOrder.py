# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DequantizeWithOrder: int8 in one of cuBLAS's orders as numbers, row by row.

Source: ONNX Runtime's contrib operator DequantizeWithOrder and its CUDA kernels; cuBLAS's documentation of cublasLtOrder_t.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_quantize = definition_of("com.microsoft", "QuantizeWithOrder")


def define(x, scale, order_input, order_output, to):
    memory = x.reshape(-1, x.shape[-2] * x.shape[-1])
    rows = memory[:, _quantize.places(order_input, *x.shape[-2:]).reshape(-1)].reshape(x.shape)
    return (rows * np.float32(scale)).astype({1: np.float32, 10: np.float16}[to])


def cases():
    numbers = _random.Numbers()
    x = numbers.bytes(2, 3, 64, dtype=np.int8)
    for name, order, to in (("rows", 1, 1), ("rows-half", 1, 10), ("tiles", 2, 1)):
        attributes = {"order_input": order, "order_output": 1, "to": to}
        yield Case(name, inputs=[x, np.float32(0.03)], attributes=attributes, shapes=[("b", "r", 64), ()], also=[[x[:1, :2], np.float32(1)]])
    yield Case("columns", inputs=[x, np.float32(1)], attributes={"order_input": 0, "order_output": 1, "to": 1}, opsets=(18,), refuse="order_input is 0, not")
