# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SparseAttention: causal attention with a cache, where each head sees the blocks of keys that its layout names.

Source: ONNX Runtime's contrib operator SparseAttention and its CPU kernel.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_attention = definition_of("com.microsoft", "_attention")
rotate = definition_of("com.microsoft", "RotaryEmbedding").rotate


def define(query, key, value, past_key, past_value, row_indices, column_indices, total, totals, cosines=None, sines=None, *, num_heads, kv_num_heads, sparse_block_size,
           scale=0.0, do_rotary=0, rotary_interleaved=0):
    if key is None:
        q, k, v = np.split(_attention.heads(query, num_heads + 2 * kv_num_heads), [num_heads, num_heads + kv_num_heads], axis=1)
    else:
        q, k, v = _attention.heads(query, num_heads), _attention.heads(key, kv_num_heads), _attention.heads(value, kv_num_heads)
    batch, _, steps, size = q.shape
    present = past_key.astype(float), past_value.astype(float)
    y = np.zeros(q.shape)
    for entry in range(batch):
        before = 0 if int(np.ravel(total)[0]) == steps else int(totals[entry]) - steps
        places = before + np.arange(steps)
        entry_q, entry_k = q[entry].astype(float), k[entry].astype(float)
        if do_rotary:
            entry_q, entry_k = (rotate(x, cosines[places], sines[places], rotary_interleaved) for x in (entry_q, entry_k))
        present[0][entry, :, before : before + steps], present[1][entry, :, before : before + steps] = entry_k, v[entry]
        for head in range(num_heads):
            layout, group = head % len(row_indices), head * kv_num_heads // num_heads
            for step, place in enumerate(places):
                start, end = row_indices[layout, place // sparse_block_size :][:2]
                seen = [key for key in range(place + 1) if key // sparse_block_size in column_indices[layout, start:end]]
                scores = present[0][entry, group, seen] @ entry_q[head, step] * (scale or 1 / np.sqrt(size))
                weights = np.exp(scores - scores.max())
                y[entry, head, step] = weights / weights.sum() @ present[1][entry, group, seen]
    return tuple(x.astype(query.dtype) for x in (_attention.merged(y), *present))


def cases():
    numbers = _random.Numbers()
    rows = np.int32([[0, 1, 3, 5], [0, 1, 2, 4]])
    columns = np.int32([[0, 0, 1, 1, 2], [0, 1, 0, 2, -1]])
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    attributes = {"num_heads": 4, "kv_num_heads": 2, "sparse_block_size": 2}

    def inputs(steps, totals, packed=False, dtype=np.float32):
        new = [numbers.floats(2, steps, width, dtype=dtype) for width in (16, 8, 8)]
        new = [np.concatenate(new, -1), None, None] if packed else new
        cache = [numbers.floats(2, 2, 6, 4, dtype=dtype) for _ in range(2)]
        return [*new, *cache, rows, columns, np.int32([max(totals)]), np.int32(totals)]

    angles = numbers.floats(6, 2)
    turned = [np.cos(angles), np.sin(angles)]
    yield Case("prompt", inputs=inputs(6, [6, 6]), attributes=attributes, constants=[5, 6], shapes="static", **tolerance)
    yield Case("step", inputs=inputs(1, [4, 6]), attributes=attributes | {"scale": 0.25}, shapes="static", also=[inputs(1, [3, 1])], **tolerance)
    yield Case("packed", inputs=inputs(1, [5, 5], packed=True), attributes=attributes, shapes="static", **tolerance)
    yield Case("steps", inputs=inputs(2, [4, 5]), attributes=attributes, shapes="static", **tolerance)
    for interleaved in (0, 1):
        rotary = attributes | {"do_rotary": 1, "rotary_interleaved": interleaved}
        yield Case(f"rotary-{interleaved}", inputs=inputs(5, [5, 5]) + turned, attributes=rotary, shapes="static", **tolerance)
    half = {"rtol": 4e-3, "atol": 4e-3, "why": "sums are rounded to half precision"}
    yield Case("half", inputs=inputs(1, [4, 6], dtype=np.float16), attributes=attributes, shapes="static", **half)
