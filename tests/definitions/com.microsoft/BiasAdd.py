# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BiasAdd: x + bias + skip.

Source: ONNX Runtime's contrib operator BiasAdd.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, bias, skip):
    return x + bias + skip


def cases():
    numbers = _random.Numbers()
    for dtype in (np.float32, np.float16):
        inputs = [numbers.floats(2, 3, 4, dtype=dtype), numbers.floats(4, dtype=dtype), numbers.floats(2, 3, 4, dtype=dtype)]
        tolerance = 2e-3 if dtype == np.float16 else 0
        yield Case(f"{np.dtype(dtype)}", inputs=inputs, rtol=tolerance, atol=tolerance, why="float16 sums may be kept in float32")
