# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::FastGelu: the tanh approximation of Gelu, of x or of x + bias.

Source: ONNX Runtime's contrib operator FastGelu.
"""
import numpy as np

from definition import Case, definition_of

gelu_tanh = definition_of("com.microsoft", "Gelu").gelu_tanh
_random = definition_of("com.microsoft", "_random")


def define(x, bias=None):
    return gelu_tanh(x if bias is None else x + bias).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 4e-3)):
        x, bias = numbers.floats(2, 3, 8, dtype=dtype), numbers.floats(8, dtype=dtype)
        yield Case(f"bias-{np.dtype(dtype)}", inputs=[x, bias], rtol=tolerance, atol=tolerance, why=_random.FLOAT_WHY)
        yield Case(f"no-bias-{np.dtype(dtype)}", inputs=[x], rtol=tolerance, atol=tolerance, why=_random.FLOAT_WHY)
