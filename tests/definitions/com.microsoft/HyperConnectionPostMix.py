# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::HyperConnectionPostMix: mixed streams, and the output of a block times a gate for each.

Source: ONNX Runtime's contrib operator HyperConnectionPostMix.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_pre = definition_of("com.microsoft", "HyperConnectionPreMix")


def define(streams, block_output, post_mix, stream_mix=None, num_branches=0):
    grouped = streams.astype(float)
    if num_branches:
        grouped = grouped.reshape(*streams.shape[:-1], num_branches, streams.shape[-1] // num_branches)
    mixed = grouped if stream_mix is None else np.einsum("...ck,...ch->...kh", stream_mix.astype(float), grouped)
    injected = _pre.gates_of(post_mix.astype(float), grouped) * block_output.astype(float)[..., None, :]
    return (mixed + injected).reshape(streams.shape).astype(streams.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    grouped, flat, block, mix = numbers.floats(2, 3, 4, 5), numbers.floats(2, 3, 20), numbers.floats(2, 3, 5), numbers.floats(2, 3, 4, 4)
    for name, shape in {"of-streams": (2, 3, 4), "of-streams-with-axis": (2, 3, 4, 1), "of-features": (2, 3, 4, 5)}.items():
        yield Case(name, inputs=[grouped, block, numbers.floats(*shape), mix], **tolerance)
        yield Case(f"unmixed-{name}", inputs=[grouped, block, numbers.floats(*shape)], **tolerance)
        yield Case(f"flat-{name}", inputs=[flat, block, numbers.floats(*shape), mix], attributes={"num_branches": 4}, **tolerance)
    yield Case("flat-unmixed", inputs=[flat, block, numbers.floats(2, 3, 4)], attributes={"num_branches": 4}, shapes="static", also=[], **tolerance)
    half = [value.astype(np.float16) for value in (grouped, block, mix[..., 0], mix)]
    yield Case("half", inputs=half, rtol=2e-3, atol=4e-3, why="the result is rounded to half precision")
    yield Case("rank", inputs=[grouped, block, numbers.floats(2, 3, 4)], shapes="unranked", opsets=(18,), refuse="rank(post_mix) is not known")
