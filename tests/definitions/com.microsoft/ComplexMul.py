# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::ComplexMul: (a + bi)(c + di); real and imaginary parts are the two elements of the last dimension.

Source: ONNX Runtime's contrib operator ComplexMul.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, b):
    product = (a[..., 0] + 1j * a[..., 1]) * (b[..., 0] + 1j * b[..., 1])
    return np.stack([product.real, product.imag], -1).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 4e-3)):
        inputs = [numbers.floats(2, 3, 2, dtype=dtype), numbers.floats(2, 3, 2, dtype=dtype)]
        yield Case(f"{np.dtype(dtype)}", inputs=inputs, opsets=range(11, 27), rtol=tolerance, atol=tolerance, why=_random.FLOAT_WHY)
    yield Case("broadcast", inputs=[numbers.floats(2, 3, 2), numbers.floats(3, 2)], opsets=range(11, 27), rtol=1e-5, atol=1e-6,
               why=_random.FLOAT_WHY)
