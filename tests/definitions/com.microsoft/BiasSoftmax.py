# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BiasSoftmax: softmax of data + bias, the dimensions from axis on counting as one.

Source: ONNX Runtime's contrib operator BiasSoftmax.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, bias, is_inner_broadcast, axis=1):
    total = (data + bias).astype(np.float64)
    axes = tuple(range(axis % total.ndim, total.ndim))
    powers = np.exp(total - total.max(axis=axes, keepdims=True))
    return (powers / powers.sum(axis=axes, keepdims=True)).astype(data.dtype)


def cases():
    numbers = _random.Numbers()
    data = numbers.floats(2, 3, 4, 5)
    for name, bias, attributes in (
        ("last", numbers.floats(2, 1, 1, 5), {"axis": 3, "is_inner_broadcast": 1}),
        ("negative", numbers.floats(1, 1, 4, 5), {"axis": -1, "is_inner_broadcast": 0}),
        ("two", numbers.floats(2, 1, 4, 5), {"axis": 2, "is_inner_broadcast": 1}),
        ("default", numbers.floats(1, 3, 4, 5), {"is_inner_broadcast": 0}),
    ):
        yield Case(name, inputs=[data, bias], attributes=attributes, rtol=1e-5, atol=1e-7, why=_random.FLOAT_WHY)
