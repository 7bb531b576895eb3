# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatedDeltaNet: each token decays and corrects a state for each head, and its query reads from it; several sequences lie behind each other.

Source: ONNX Runtime's contrib operator GatedDeltaNet, and what its CPU kernel adds to squares whose root is a length: 1e-12.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gates(decay, a_log, dt_bias, kind, bound):
    """The logarithms of how much remains, for each token, head and key."""
    heads = decay.shape[1]
    decay = decay.astype(float).reshape(len(decay), heads, -1)
    if kind == "none":
        return decay
    speed, moved = np.exp(a_log.astype(float)).reshape(heads, 1), decay + dt_bias.reshape(heads, -1)
    return bound * sigmoid(speed * moved) if kind in ("sigmoid", "kda") else -speed * np.log1p(np.exp(moved))


def define(query, key, value, bounds=None, decay=None, beta=None, initial_state=None, a_log=None, dt_bias=None, *, update_rule="gated_delta", scale=0.0, qk_l2_norm=0,
           gate_activation="none", gate_lower_bound=-5.0, beta_activation="none"):
    if key is None:
        _, heads, value_size, size = initial_state.shape
        few = (query.shape[-1] - heads * value_size) // (2 * size)
        parts = np.split(query, [few * size, 2 * few * size], -1)
        query, key, value = (part.reshape(*query.shape[:-1], -1, width) for part, width in zip(parts, (size, size, value_size)))
    q, k, v = (x.astype(float).reshape(-1, *x.shape[-2:]) for x in (query, key, value))
    tokens, heads, value_size = v.shape
    if qk_l2_norm:
        q, k = (x / np.sqrt((x**2).sum(-1, keepdims=True) + 1e-12) for x in (q, k))
    q, k = (np.repeat(x, heads // x.shape[1], axis=1) for x in (q, k))
    if bounds is None:
        batch = len(query) if query.ndim == 4 else len(initial_state)
        bounds = np.arange(batch + 1) * (tokens // batch)
    if decay is not None:
        decay = gates(decay.reshape(tokens, heads, -1), a_log, dt_bias, gate_activation, gate_lower_bound)
    if beta is not None:
        beta = beta.astype(float).reshape(tokens, heads)
        beta = sigmoid(beta) if beta_activation == "sigmoid" else beta
    states = np.zeros((len(bounds) - 1, heads, value_size, q.shape[2])) if initial_state is None else initial_state.astype(float)
    y = np.zeros(v.shape)
    for sequence, (start, end) in enumerate(zip(bounds[:-1], bounds[1:])):
        for token in range(start, end):
            if "gated" in update_rule:
                states[sequence] *= np.exp(decay[token])[:, None]
            news = v[token]
            if "delta" in update_rule:
                news = beta[token, :, None] * (news - np.einsum("hvk,hk->hv", states[sequence], k[token]))
            states[sequence] += news[..., None] * k[token, :, None]
            y[token] = (scale or 1 / np.sqrt(q.shape[2])) * np.einsum("hvk,hk->hv", states[sequence], q[token])
    return y.reshape(value.shape).astype(query.dtype), states.astype(np.float32)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}

    def inputs(*before, bounds=None, batch=2, gate=(), dtype=np.float32):
        q, k, v = numbers.floats(*before, 2, 4) / 2, numbers.floats(*before, 2, 4) / 2, numbers.floats(*before, 4, 3)
        decay, beta = -numbers.positive(*before, 4, *gate), numbers.positive(*before, 4)
        ends = None if bounds is None else np.int32(bounds)
        return [*(x.astype(dtype) for x in (q, k, v)), ends, decay, beta, numbers.floats(batch, 4, 3, 4)]

    activation = [numbers.floats(4), numbers.floats(4)]
    for rule in ("linear", "gated", "delta", "gated_delta"):
        given = inputs(2, 3)
        given[4] = given[4] if "gated" in rule else None
        given[5] = given[5] if "delta" in rule else None
        yield Case(rule, inputs=given, attributes={"update_rule": rule, "scale": 0.5}, shapes="static", **tolerance)
    yield Case("even", inputs=inputs(6), attributes={"qk_l2_norm": 1}, shapes="static", **tolerance)
    static = [("t", 2, 4), ("t", 2, 4), ("t", 4, 3), ("e",), ("t", 4), ("t", 4), ("b", 4, 3, 4)]
    yield Case("ragged", inputs=inputs(7, bounds=[0, 2, 7]), shapes=static, also=[inputs(1, bounds=[0, 1], batch=1), inputs(6, bounds=[0, 3, 4, 6], batch=3)], **tolerance)
    stateless = inputs(7, bounds=[0, 2, 7])[:6]
    yield Case("ragged-stateless", inputs=stateless, shapes="static", **tolerance)
    for kind in ("softplus", "qwen", "sigmoid", "kda"):
        attributes = {"gate_activation": kind, "beta_activation": "sigmoid", "qk_l2_norm": 1, "gate_lower_bound": -2.0}
        yield Case(kind, inputs=[*inputs(7, bounds=[0, 4, 7]), *activation], attributes=attributes, shapes="static", **tolerance)
        by_key = [*inputs(2, 3, gate=(4,)), numbers.floats(4), numbers.floats(16)]
        yield Case(f"{kind}-by-key", inputs=by_key, attributes=attributes, shapes="static", **tolerance)
    ragged = inputs(7, bounds=[0, 4, 7])
    packed = [np.concatenate([part.reshape(7, -1) for part in ragged[:3]], -1), None, None, *ragged[3:]]
    yield Case("packed", inputs=packed, shapes="static", **tolerance)
    half = {"rtol": 2e-3, "atol": 2e-3, "why": "the result is rounded to half precision"}
    yield Case("half", inputs=inputs(2, 3, dtype=np.float16), shapes="static", **half)
    captured = [*inputs(2, 3), None, None, np.int32([1, 2])]
    yield Case("captured", inputs=captured, attributes={"state_update_capacity": 2}, shapes="static", opsets=(18,), refuse="state_update_capacity is 2, not 0")
