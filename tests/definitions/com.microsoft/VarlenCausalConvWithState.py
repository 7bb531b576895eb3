# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::VarlenCausalConvWithState: each channel's convolution with what came before, of several sequences.

Source: ONNX Runtime's contrib operator VarlenCausalConvWithState.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, weight, bounds, bias, initial_state, capture_count=None, activation="none", dilation=1, state_update_capacity=0):
    taps, states = weight.shape[2], (weight.shape[2] - 1) * dilation
    y, final_state = np.zeros(x.shape, x.dtype), np.zeros_like(initial_state)
    update = np.zeros((len(bounds) - 1, state_update_capacity, x.shape[1]), x.dtype)
    for sequence, (start, end) in enumerate(zip(bounds[:-1], bounds[1:])):
        line = np.concatenate([initial_state[sequence].T, x[start:end]])
        for token in range(end - start):
            total = sum(weight[:, 0, tap].astype(float) * line[token + tap * dilation] for tap in range(taps))
            total = total if bias is None else total + bias
            y[start + token] = total if activation == "none" else total / (1 + np.exp(-total))
        final_state[sequence] = line[len(line) - states :].T
        if state_update_capacity:
            captured = max(0, min(capture_count[sequence], state_update_capacity, end - start))
            update[sequence, :captured] = x[start : start + captured]
    return (y, final_state, update) if state_update_capacity else (y, final_state)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}

    def inputs(bounds, taps, dilation=1, bias=True, dtype=np.float32):
        values = [numbers.floats(bounds[-1], 3), numbers.floats(3, 1, taps), numbers.floats(3), numbers.floats(len(bounds) - 1, 3, (taps - 1) * dilation)]
        x, weight, biases, state = (value.astype(dtype) for value in values)
        return [x, weight, np.int32(bounds), biases if bias else None, state]

    usual = inputs([0, 2, 7, 8], 4)
    others = [[other[0], usual[1], *other[2:]] for other in (inputs([0, 1], 4), inputs([0, 5, 6], 4))]
    yield Case("usual", inputs=usual, constants=[1], also=others, **tolerance)
    yield Case("no-bias", inputs=inputs([0, 1, 3], 3, bias=False), attributes={"activation": "silu"}, constants=[1], **tolerance)
    yield Case("dilated", inputs=inputs([0, 2, 9], 3, 2), attributes={"activation": "swish", "dilation": 2}, shapes="static", **tolerance)
    yield Case("one-tap", inputs=inputs([0, 2, 5], 1), constants=[1], **tolerance)
    half = {"rtol": 2e-3, "atol": 2e-3, "why": "the result is rounded to half precision"}
    yield Case("half", inputs=inputs([0, 2, 7], 4, dtype=np.float16), attributes={"activation": "silu"}, constants=[1], **half)
    captured = inputs([0, 2, 7, 8], 2) + [np.int32([3, 1, -1])]
    yield Case("captured", inputs=captured, attributes={"state_update_capacity": 3}, constants=[1], **tolerance)
    dynamic = inputs([0, 4], 2, bias=False) + [None, numbers.floats(4, 2, 3), numbers.floats(4, 1)]
    yield Case("dynamic", inputs=dynamic, constants=[1], opsets=(18,), refuse="the node has 8 inputs")
