# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::LinearAttention: each token changes a state (keys x values) for each head, and its query reads from it.

Source: ONNX Runtime's contrib operator LinearAttention, whose formulas are those of ONNX LinearAttention-27.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(query, key, value, past_state=None, decay=None, beta=None, *, q_num_heads, kv_num_heads, scale=0.0, update_rule="gated_delta", chunk_size=64):
    batch, steps, _ = query.shape
    q, k, v = (x.astype(float).reshape(batch, steps, heads, -1) for x, heads in ((query, q_num_heads), (key, kv_num_heads), (value, kv_num_heads)))
    state = np.zeros((batch, kv_num_heads, k.shape[3], v.shape[3])) if past_state is None else past_state.astype(float)
    scale = scale or 1 / np.sqrt(q.shape[3])
    y = np.zeros((batch, steps, q_num_heads, v.shape[3]))
    for step in range(steps):
        if "gated" in update_rule:
            state = state * np.exp(decay[:, step].reshape(batch, kv_num_heads, -1, 1))
        news = v[:, step]
        if "delta" in update_rule:
            news = beta[:, step].reshape(batch, -1, 1) * (news - np.einsum("bhkv,bhk->bhv", state, k[:, step]))
        state = state + k[:, step][..., None] * news[:, :, None]
        shared = np.repeat(state, q_num_heads // kv_num_heads, axis=1)
        y[:, step] = scale * np.einsum("bhkv,bhk->bhv", shared, q[:, step])
    return y.reshape(batch, steps, -1).astype(query.dtype), state.astype(query.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}

    def inputs(heads=2, steps=3, past=True, decay=0, beta=0):
        return [numbers.floats(2, steps, heads * 4), numbers.floats(2, steps, 8, dtype=np.float32) / 2, numbers.floats(2, steps, 6), numbers.floats(2, 2, 4, 3) if past else None,
                -numbers.positive(2, steps, decay) if decay else None, numbers.positive(2, steps, beta) if beta else None]

    heads = {"q_num_heads": 2, "kv_num_heads": 2}
    yield Case("linear", inputs=inputs(), attributes={**heads, "update_rule": "linear"}, **tolerance)
    yield Case("gated", inputs=inputs(decay=8), attributes={**heads, "update_rule": "gated"}, **tolerance)
    yield Case("delta", inputs=inputs(beta=2), attributes={**heads, "update_rule": "delta"}, **tolerance)
    yield Case("gated-delta", inputs=inputs(decay=2, beta=2, past=False), attributes=heads, **tolerance)
    yield Case("token", inputs=inputs(steps=1, decay=2, beta=2), attributes={**heads, "scale": 0.5}, **tolerance)
    yield Case("static", inputs=inputs(decay=2, beta=2), attributes=heads, shapes="static", **tolerance)
    yield Case("shared-keys", inputs=inputs(heads=4, decay=2, beta=2), attributes={**heads, "q_num_heads": 4}, **tolerance)
    yield Case("window", inputs=inputs(decay=2, beta=2), attributes={**heads, "state_window": 2}, refuse="state_window is 2, not 0")
