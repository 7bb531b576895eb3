# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::HyperConnectionPreMix: streams times their gates, added up.

Source: ONNX Runtime's contrib operator HyperConnectionPreMix.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def gates_of(gates, grouped):
    """The gates of one stream after the other, which may stand for all of its elements."""
    if gates.size == grouped.size:
        return gates.reshape(grouped.shape)
    return gates.reshape(*grouped.shape[:-1], 1)


def define(streams, pre_mix, reduction_scale=1.0, num_branches=0):
    grouped = streams.astype(float)
    if num_branches:
        grouped = grouped.reshape(*streams.shape[:-1], num_branches, streams.shape[-1] // num_branches)
    return (reduction_scale * (grouped * gates_of(pre_mix.astype(float), grouped)).sum(-2)).astype(streams.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    grouped, flat = numbers.floats(2, 3, 4, 5), numbers.floats(2, 3, 20)
    for name, shape in {"of-streams": (2, 3, 4), "of-streams-with-axis": (2, 3, 4, 1), "of-features": (2, 3, 4, 5)}.items():
        yield Case(name, inputs=[grouped, numbers.floats(*shape)], attributes={"reduction_scale": 0.25}, **tolerance)
    for name, shape in {"flat": (2, 3, 4), "flat-with-axis": (2, 3, 4, 1), "flat-of-features": (2, 3, 4, 5), "flat-all": (2, 3, 20)}.items():
        yield Case(name, inputs=[flat, numbers.floats(*shape)], attributes={"num_branches": 4}, also=[[flat[:0], np.zeros((0, *shape[1:]), np.float32)]], **tolerance)
    half = {"rtol": 2e-3, "atol": 2e-3, "why": "the result is rounded to half precision"}
    yield Case("half", inputs=[grouped.astype(np.float16), numbers.floats(2, 3, 4, dtype=np.float16)], shapes="static", **half)
    yield Case("half-gates", inputs=[grouped, numbers.floats(2, 3, 4, dtype=np.float16)], **half)
    yield Case("rank", inputs=[grouped, numbers.floats(2, 3, 4)], shapes="unranked", opsets=(18,), refuse="rank(pre_mix) is not known")
