# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BiasGelu: Gelu of a + b.

Source: ONNX Runtime's contrib operator BiasGelu.
"""
import numpy as np

from definition import Case, definition_of

gelu = definition_of("com.microsoft", "Gelu").gelu
_random = definition_of("com.microsoft", "_random")


def define(a, b):
    return gelu(a + b).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 4e-3)):
        inputs = [numbers.floats(2, 3, 8, dtype=dtype), numbers.floats(8, dtype=dtype)]
        yield Case(f"{np.dtype(dtype)}", inputs=inputs, constants=[1], rtol=tolerance, atol=tolerance, why=_random.FLOAT_WHY)
    yield Case("empty", inputs=[np.zeros((0, 8), np.float32), numbers.floats(8)])
