# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GemmFastGelu: FastGelu of a matrix product.

Source: ONNX Runtime's contrib operator GemmFastGelu.
"""
from definition import Case, definition_of

gelu_tanh = definition_of("com.microsoft", "Gelu").gelu_tanh
_random = definition_of("com.microsoft", "_random")


def define(x, w, bias=None):
    product = x @ w
    return gelu_tanh(product if bias is None else product + bias).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    x, w, bias = numbers.floats(2, 3, 8), numbers.floats(8, 4), numbers.floats(4)
    yield Case("bias", inputs=[x, w, bias], rtol=1e-4, atol=1e-5, why=_random.FLOAT_WHY)
    yield Case("no-bias", inputs=[x, w], rtol=1e-4, atol=1e-5, why=_random.FLOAT_WHY)
