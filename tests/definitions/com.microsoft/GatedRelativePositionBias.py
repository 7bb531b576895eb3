# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatedRelativePositionBias: a bias by position, times gates.

Source: the documentation of ONNX Runtime's contrib operator GatedRelativePositionBias.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(query_layer, query_bias, rel_pos, weight, bias, eco_a, token_offset=None, *, num_heads):
    batch, length, hidden = query_layer.shape
    query = (query_layer + query_bias).astype(np.float64).reshape(batch, length, num_heads, hidden // num_heads).transpose(0, 2, 1, 3)
    linear = query @ weight.astype(np.float64) + bias
    gates = 1 / (1 + np.exp(-linear.reshape(*linear.shape[:3], 2, -1).sum(-1)))
    u, r = np.split(gates, 2, -1)
    return ((u * (r * eco_a - 1) + 2) * rel_pos).astype(query_layer.dtype)


def cases():
    numbers = _random.Numbers()
    heads, size, length = 2, 4, 3
    shapes = ((2, length, heads * size), (heads * size,), (1, heads, length, length), (size, 6), (6,), (1, heads, 1, 1))
    inputs = [numbers.floats(*shape) for shape in shapes]
    fields = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    yield Case("float", inputs=inputs, attributes={"num_heads": heads}, **fields)
    yield Case("weights", inputs=inputs, attributes={"num_heads": heads}, constants=[1, 3, 4, 5], shapes="static", **fields)
    halves = [array.astype(np.float16) for array in inputs]
    yield Case("half", inputs=halves, attributes={"num_heads": heads}, rtol=1e-2, atol=1e-2, why="each step is rounded to half, the definition's only once")
    yield Case("packed", inputs=[*inputs, np.zeros((2, length), np.int32)], attributes={"num_heads": heads}, refuse="token_offset")
