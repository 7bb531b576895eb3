# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MulInteger: (a - a's zero point) * (b - b's zero point) in 32 bits.

Source: ONNX Runtime's contrib operator MulInteger.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, a_zero, b, b_zero=None):
    left = a.astype(np.int32) - (0 if a_zero is None else np.int32(a_zero))
    return left * (b.astype(np.int32) - (0 if b_zero is None else np.int32(b_zero)))


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        a, b = numbers.bytes(2, 3, dtype=dtype), numbers.bytes(3, dtype=dtype)
        for name, inputs in (
            ("both", [a, dtype(3), b, dtype(4)]),
            ("first", [a, dtype(3), b]),
            ("second", [a, None, b, dtype(4)]),
            ("none", [a, None, b]),
        ):
            yield Case(f"{name}-{np.dtype(dtype)}", inputs=inputs)
