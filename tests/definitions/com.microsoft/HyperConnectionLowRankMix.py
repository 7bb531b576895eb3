# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::HyperConnectionLowRankMix: normal streams, gates for each of their elements by a network of low rank, and gates of what comes next.

Source: ONNX Runtime's contrib operator HyperConnectionLowRankMix, whose documentation says which steps are rounded.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(streams, norm_scale, down, up, inject, block=None, gate=None, num_branches=1, epsilon=1e-5, gate_div=1.0, gate_mul=1.0, reduction_scale=1.0, silu_alpha=1.0):
    def rounded(x):
        return np.asarray(x, streams.dtype).astype(float)

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    wide = streams.reshape(*streams.shape[:-1], num_branches, -1).astype(float)
    if block is not None:
        wide = rounded(wide + gate.astype(float)[..., None] * block.astype(float)[..., None, :])
    scales = norm_scale.astype(float).reshape(num_branches, -1)
    normal = rounded(wide / np.sqrt((wide**2).mean(-1, keepdims=True) + epsilon) * scales)
    row = normal.reshape(streams.shape)
    z = rounded(silu_alpha * rounded(row @ down.astype(float)))
    hidden = rounded(z * rounded(sigmoid(z)))
    gates = rounded(sigmoid(rounded(hidden @ up.astype(float)))).reshape(normal.shape)
    pre_output = reduction_scale * (normal * gates).sum(-2)
    post_gate = rounded(sigmoid(rounded(rounded(row @ inject.astype(float)) / gate_div))) * gate_mul
    return tuple(np.asarray(x, streams.dtype) for x in (pre_output, post_gate, wide.reshape(streams.shape)))


def cases():
    numbers = _random.Numbers()
    weights = [numbers.floats(20), numbers.floats(20, 3) / 4, numbers.floats(3, 20), numbers.floats(20, 4) / 4]
    inputs, before = [numbers.floats(2, 3, 20), *weights], [numbers.floats(2, 3, 5), numbers.floats(2, 3, 4)]
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    attributes = {"num_branches": 4, "epsilon": 0.01, "gate_div": 2.0, "gate_mul": 2.0, "reduction_scale": 0.5, "silu_alpha": 1.5}
    yield Case("usual", inputs=inputs, attributes={"num_branches": 4}, **tolerance)
    yield Case("all-attributes", inputs=inputs, attributes=attributes, shapes="static", **tolerance)
    yield Case("prologue", inputs=inputs + before, attributes=attributes, **tolerance)
    yield Case("no-streams", inputs=inputs + before, attributes={"num_branches": 4}, absent_outputs=[2], **tolerance)
    half = [value.astype(np.float16) for value in inputs + before]
    yield Case("half", inputs=half, attributes=attributes, rtol=4e-3, atol=4e-3, why="each step is rounded to half precision, after sums in another order")
