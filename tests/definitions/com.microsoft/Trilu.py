# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Trilu: the upper or lower triangle of matrices, as ONNX's Trilu.

Source: ONNX Runtime's contrib operator Trilu.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, k=None, upper=1):
    return (np.triu if upper else np.tril)(x, 0 if k is None else int(np.reshape(k, ())))


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 4)
    yield Case("upper", inputs=[x])
    yield Case("lower", inputs=[x, np.int64(1)], attributes={"upper": 0})
    yield Case("one-element", inputs=[x, np.int64([1])], attributes={"upper": 0}, opsets=(9, 14, 26))
    yield Case("negative", inputs=[x, np.int64(-1)], attributes={"upper": 1}, constants=[1])
