# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::RMSNormRotary: heads divided by the root of their mean square, scaled, and rotated by their positions.

Source: ONNX Runtime's contrib operator RMSNormRotary.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale, positions, cosine, sine, rotary_embedding_dim, epsilon=1e-6, input_start=0, input_width=0, output_fp16=0, **modes):
    batch, steps, heads, stride = x.shape
    width = input_width or stride
    part = x[..., input_start : input_start + width].astype(float)
    normal = part / np.sqrt((part**2).mean(-1, keepdims=True) + epsilon) * scale
    places = np.broadcast_to(positions.reshape(-1)[0] + np.arange(steps), (batch, steps)) if positions.size == 1 else positions
    cos, sin = (cache[places][:, :, None].astype(float) for cache in (cosine, sine))
    half = rotary_embedding_dim // 2
    y = normal.copy()
    y[..., :half] = normal[..., :half] * cos - normal[..., half : 2 * half] * sin
    y[..., half : 2 * half] = normal[..., half : 2 * half] * cos + normal[..., :half] * sin
    y = y.reshape(batch, steps, heads * width).astype(np.float32)
    return y.astype(np.float16 if output_fp16 else ml_dtypes.bfloat16), normal.astype(np.float32)


def cases():
    numbers = _random.Numbers()
    angles = numbers.floats(9, 3)
    inputs = [numbers.floats(2, 3, 2, 10, dtype=np.float16), numbers.floats(8), numbers.integers(0, 9, 2, 3), np.cos(angles), np.sin(angles)]
    shapes = [("b", "s", 2, 10), (8,), ("b", "s"), ("m", 3), ("m", 3)]
    attributes = {"rotary_embedding_dim": 6, "input_start": 1, "input_width": 8, "output_fp16": 1}
    tolerance = {"rtol": 2e-3, "atol": 2e-3, "why": "the result is rounded to half precision"}
    yield Case("part", inputs=inputs, attributes=attributes, shapes=shapes, also=[[*inputs[:2], np.int64([[4]]), *inputs[3:]]], **tolerance)
    whole = [inputs[0][..., :6], numbers.floats(6), np.int64([5]), *inputs[3:]]
    yield Case("whole", inputs=whole, attributes={"rotary_embedding_dim": 6, "output_fp16": 1, "epsilon": 0.25}, shapes="static", **tolerance)
    yield Case("scalar", inputs=[*whole[:2], np.int64(2), *whole[3:]], attributes={"rotary_embedding_dim": 2 * 3, "output_fp16": 1}, shapes="static", **tolerance)
    half_cache = [*whole[:3], *(cache.astype(ml_dtypes.bfloat16) for cache in whole[3:])]
    yield Case("bfloat16-steps", inputs=half_cache, attributes={"rotary_embedding_dim": 6}, shapes="static", opsets=(18,), refuse="dtype(cosine) is bfloat16, not float")
