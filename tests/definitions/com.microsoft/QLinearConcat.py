# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearConcat: concatenation of tensors that are quantized each in its own way.

Source: ONNX Runtime's contrib operator QLinearConcat.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(y_scale, y_zero, *triples, axis):
    parts = [_linear.real(*triples[first : first + 3]) for first in range(0, len(triples), 3)]
    return _linear.quantized(np.concatenate(parts, axis=axis), y_scale, y_zero, triples[0].dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        first = [numbers.bytes(2, 3, dtype=dtype), np.float32(0.02), dtype(3)]
        second = [numbers.bytes(2, 4, dtype=dtype), np.float32(0.04), dtype(5)]
        third = [numbers.bytes(2, 1, dtype=dtype), np.float32(0.01), dtype(0)]
        result = [np.float32(0.03), dtype(12)]
        yield Case(f"three-{np.dtype(dtype)}", inputs=[*result, *first, *second, *third], attributes={"axis": 1}, **common)
        yield Case(f"one-{np.dtype(dtype)}", inputs=[*result, *first], attributes={"axis": 0}, **common)
    yield Case("pair", inputs=[*result, *first[:2]], attributes={"axis": 0}, refuse="triples")
