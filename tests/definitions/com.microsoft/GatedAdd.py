# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatedAdd: X + Y * gate, with one gate for each row.

Source: ONNX Runtime's contrib operator GatedAdd.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, y, gate):
    return x + y * gate


def cases():
    numbers = _random.Numbers()
    for dtype in (np.float32, np.float16):
        values = [numbers.floats(2, 3, 4, dtype=dtype), numbers.floats(2, 3, 4, dtype=dtype), numbers.floats(2, 3, 1, dtype=dtype)]
        tolerance = {"rtol": 1e-6, "atol": 1e-6} if dtype == np.float32 else {"rtol": 1e-3, "atol": 2e-3}
        yield Case(np.dtype(dtype).name, inputs=values, **tolerance, why="a runtime may round the sum of the product once only")
