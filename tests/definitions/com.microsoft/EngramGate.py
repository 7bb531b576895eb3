# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::EngramGate: a value times a gate that opens as far as key and query agree, for each branch.

Source: ONNX Runtime's contrib operator EngramGate.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def normal(x, scale, epsilon):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon) * scale


def define(key, query, value, key_scale, query_scale, conv_scale=None, epsilon=1e-5):
    wide = [None if x is None else x.astype(float) for x in (key, query, value, key_scale, query_scale, conv_scale)]
    dot = (normal(wide[0], wide[3], epsilon) * normal(wide[1], wide[4], epsilon)).sum(-1, keepdims=True) / np.sqrt(key.shape[-1])
    gate = 1 / (1 + np.exp(-np.sign(dot) * np.sqrt(np.maximum(np.abs(dot), 1e-6))))
    y = gate * wide[2][:, :, None]
    return y.astype(key.dtype) if conv_scale is None else (y.astype(key.dtype), normal(y, wide[5], epsilon).astype(key.dtype))


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    inputs = [numbers.floats(2, 3, 4, 8), numbers.floats(2, 3, 4, 8), numbers.floats(2, 3, 8), *(numbers.floats(4, 8) for _ in range(3))]
    yield Case("both", inputs=inputs, attributes={"epsilon": 0.25}, shapes=[("b", "s", 4, 8)] * 2 + [("b", "s", 8)] + [(4, 8)] * 3, **tolerance)
    yield Case("gate", inputs=inputs[:5], shapes="static", **tolerance)
    half = {"rtol": 4e-3, "atol": 2e-3, "why": "the result is rounded to half precision"}
    yield Case("half", inputs=[value.astype(np.float16) for value in inputs], shapes="static", **half)
