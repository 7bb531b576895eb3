# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MRotaryEmbedding: RotaryEmbedding of tokens with three positions, in time, height and width, each of which turns some of the pairs of components.

In layout 0 the pairs of each stand next to each other; in layout 1 height and width have every third one of the first, and time the others.

Source: ONNX Runtime's contrib operator MRotaryEmbedding.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
rotate = definition_of("com.microsoft", "RotaryEmbedding").rotate


def define(x, position_ids, cos_cache, sin_cache, *, mrope_section, mrope_layout=0, interleaved=0, num_heads=0, rotary_embedding_dim=0):
    half = sum(mrope_section)
    heads = x
    if x.ndim == 3:
        size = x.shape[2] // num_heads if num_heads else 2 * cos_cache.shape[1]
        heads = x.reshape(*x.shape[:2], -1, size).transpose(0, 2, 1, 3)
    stream = np.repeat([0, 1, 2], mrope_section)
    if mrope_layout == 1:
        stream = np.zeros(half, int)
        stream[1 : mrope_section[1] * 3 : 3] = 1
        stream[2 : mrope_section[2] * 3 : 3] = 2
    # (B, S, half)
    cosines, sines = (cache[position_ids[stream].transpose(1, 2, 0), np.arange(half)] for cache in (cos_cache, sin_cache))
    y = np.stack([rotate(heads[entry], cosines[entry], sines[entry], interleaved) for entry in range(len(heads))])
    return (y.transpose(0, 2, 1, 3).reshape(x.shape) if x.ndim == 3 else y).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    angles = numbers.floats(20, 8)
    caches = [np.cos(angles), np.sin(angles)]
    ids = numbers.integers(0, 20, 3, 2, 5)
    for layout, sections in ((0, [4, 2, 2]), (1, [4, 2, 2]), (1, [2, 3, 3]), (0, [8, 0, 0])):
        attributes = {"mrope_section": sections, "mrope_layout": layout}
        name = f"{layout}-{'-'.join(map(str, sections))}"
        yield Case(f"flat-{name}", inputs=[numbers.floats(2, 5, 64), ids, *caches], attributes={**attributes, "num_heads": 4}, **tolerance)
        yield Case(f"heads-{name}", inputs=[numbers.floats(2, 4, 5, 16), ids, *caches], attributes={**attributes, "interleaved": 1}, **tolerance)
    partial = {"mrope_section": [4, 2, 2], "num_heads": 2, "rotary_embedding_dim": 16}
    yield Case("partial", inputs=[numbers.floats(2, 5, 64), ids, *caches], attributes=partial, **tolerance)
    yield Case("two-sections", inputs=[numbers.floats(2, 4, 5, 16), ids, *caches], attributes={"mrope_section": [4, 4]}, refuse="mrope_section is not three sizes")
