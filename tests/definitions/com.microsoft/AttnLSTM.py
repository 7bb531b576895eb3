# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::AttnLSTM: an LSTM whose steps read what attention to a memory gave in the step before.

Source: ONNX Runtime's contrib operator AttnLSTM and its CPU kernel.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def define(x, w, r, b=None, lengths=None, h=None, c=None, p=None, query_weight=None, memory_weight=None, v=None, memory=None, memory_lengths=None, layer_weight=None, *,
           hidden_size, **attributes):
    steps, batch, _ = x.shape
    h = np.zeros((batch, hidden_size)) if h is None else h[0].astype(float)
    c = np.zeros((batch, hidden_size)) if c is None else c[0].astype(float)
    bias = 0 if b is None else b[0].reshape(2, -1).sum(0)
    p_i, p_o, p_f = np.zeros((3, hidden_size)) if p is None else p[0].reshape(3, -1)
    counts = np.full(batch, memory.shape[1]) if memory_lengths is None else memory_lengths
    attention = np.zeros((batch, memory.shape[2] if layer_weight is None else layer_weight.shape[2]))
    y = np.zeros((steps, 1, batch, hidden_size))
    for step in range(steps):
        gates = np.concatenate([x[step], attention], -1) @ w[0].T + h @ r[0].T + bias
        i, o, f, new = np.split(gates, 4, -1)
        c = sigmoid(f + p_f * c) * c + sigmoid(i + p_i * c) * np.tanh(new)
        h = sigmoid(o + p_o * c) * np.tanh(c)
        y[step, 0] = h
        context = np.zeros((batch, memory.shape[2]))
        for entry, count in enumerate(counts):
            seen = memory[entry, :count]
            powers = np.exp((v[0] * np.tanh(seen @ memory_weight[0] + h[entry] @ query_weight[0])).sum(-1))
            context[entry] = powers / powers.sum() @ seen
        attention = context if layer_weight is None else np.concatenate([h, context], -1) @ layer_weight[0]
    return y.astype(x.dtype), h[None].astype(x.dtype), c[None].astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}

    def inputs(layer=None, rest=False):
        attention = layer or 5
        lstm = [numbers.floats(4, 2, 3), numbers.floats(1, 16, 3 + attention), numbers.floats(1, 16, 4)]
        state = [numbers.floats(1, 2, 4), numbers.floats(1, 2, 4), numbers.floats(1, 12)] if rest else [None] * 3
        memory = [numbers.floats(1, 4, 6), numbers.floats(1, 5, 6), numbers.floats(1, 6), numbers.floats(2, 3, 5)]
        return [*lstm, numbers.floats(1, 32) if rest else None, None, *state, *memory, np.int32([3, 1]) if rest else None, numbers.floats(1, 9, layer) if layer else None]

    yield Case("context", inputs=inputs(), attributes={"hidden_size": 4}, shapes="static", **tolerance)
    yield Case("layer", inputs=inputs(2), attributes={"hidden_size": 4}, shapes="static", **tolerance)
    yield Case("all", inputs=inputs(2, rest=True), attributes={"hidden_size": 4, "direction": "forward"}, shapes="static", **tolerance)
    yield Case("some", inputs=inputs(rest=True), attributes={"hidden_size": 4}, shapes="static", **tolerance)
    yield Case("reverse", inputs=inputs(), attributes={"hidden_size": 4, "direction": "reverse"}, shapes="static", opsets=(18,), refuse='direction is "reverse", not "forward"')
