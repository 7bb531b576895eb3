# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::LongformerAttention: each token attends to its window and to the global ones, which attend to all by weights of their own.

Source: ONNX Runtime's contrib operator LongformerAttention and its CUDA kernels.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def attended(q, keys, values, added):
    scores = keys @ q / np.sqrt(len(q)) + added
    powers = np.exp(scores - scores.max())
    return powers / powers.sum() @ values


def define(x, weight, bias, mask, global_weight, global_bias, is_global, *, num_heads, window):
    batch, length, width = x.shape
    wide = x.astype(float)
    local = (wide @ weight + bias).reshape(batch, length, 3, num_heads, -1)
    everywhere = (wide @ global_weight + global_bias).reshape(batch, length, 3, num_heads, -1)
    y = np.zeros((batch, length, num_heads, width // num_heads))
    for entry in range(batch):
        for place in range(length):
            if mask[entry, place] < 0:
                continue
            seen = [key for key in range(length) if abs(key - place) <= window or is_global[entry, key]]
            for head in range(num_heads):
                if is_global[entry, place]:
                    q, k, v = everywhere[entry, place, 0, head], everywhere[entry, :, 1, head], everywhere[entry, :, 2, head]
                    y[entry, place, head] = attended(q, k, v, mask[entry])
                else:
                    q, k, v = local[entry, place, 0, head], local[entry, seen, 1, head], local[entry, seen, 2, head]
                    y[entry, place, head] = attended(q, k, v, mask[entry, seen])
    return y.reshape(x.shape).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    inputs = [numbers.floats(2, 8, 6), numbers.floats(6, 18) / 2, numbers.floats(18), np.zeros((2, 8), np.float32), numbers.floats(6, 18) / 2, numbers.floats(18), np.zeros((2, 8), np.int32)]
    inputs[3][0, 6:] = -10000
    inputs[6][:, 0] = inputs[6][1, 4] = 1
    without = [*inputs[:6], np.zeros((2, 8), np.int32)]
    shapes = [("b", "s", 6), (6, 18), (18,), ("b", "s"), (6, 18), (18,), ("b", "s")]
    yield Case("usual", inputs=inputs, attributes={"num_heads": 2, "window": 2}, constants=[1, 2, 4, 5], shapes=shapes, also=[without], **tolerance)
    yield Case("static", inputs=inputs, attributes={"num_heads": 3, "window": 1}, shapes="static", **tolerance)
    half = [value if value.dtype == np.int32 else value.astype(np.float16) for value in inputs]
    yield Case("half", inputs=half, attributes={"num_heads": 2, "window": 4}, shapes="static", rtol=1e-2, atol=1e-2, why="sums and weights are rounded to half precision")
