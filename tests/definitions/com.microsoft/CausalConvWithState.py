# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::CausalConvWithState: each channel is convolved with itself, as far as it stands before; what a later call needs of it is its state.

Source: ONNX Runtime's contrib operator CausalConvWithState.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, weight, bias=None, past_state=None, *, activation="none", channels_last=0):
    if channels_last:
        x, past_state = x.transpose(0, 2, 1), None if past_state is None else past_state.transpose(0, 2, 1)
    batch, channels, length = x.shape
    size = weight.shape[2]
    past = np.zeros((batch, channels, size - 1)) if past_state is None else past_state
    whole = np.concatenate([past, x], axis=2).astype(float)
    y = np.stack([(whole[:, :, at : at + size] * weight[:, 0]).sum(-1) for at in range(length)], axis=2)
    y += 0 if bias is None else bias[:, None]
    if activation != "none":
        y = y / (1 + np.exp(-y))
    outputs = [y, whole[:, :, whole.shape[2] - size + 1 :]]
    return tuple((part.transpose(0, 2, 1) if channels_last else part).astype(x.dtype) for part in outputs)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "shapes": "static"}  # the channels must be known

    def inputs(length=5, bias=True, past=True, last=False):
        turn = (lambda x: np.ascontiguousarray(x.transpose(0, 2, 1))) if last else (lambda x: x)
        return [turn(numbers.floats(2, 3, length)), numbers.floats(3, 1, 4), numbers.floats(3) if bias else None, turn(numbers.floats(2, 3, 3)) if past else None]

    yield Case("plain", inputs=inputs(bias=False, past=False), **tolerance)
    yield Case("past", inputs=inputs(), attributes={"activation": "silu"}, **tolerance)
    yield Case("token", inputs=inputs(length=1), attributes={"activation": "swish"}, **tolerance)
    dynamic = {**tolerance, "shapes": [("batch", 3, "length"), (3, 1, 4), (3,), ("batch", 3, 3)]}
    yield Case("dynamic", inputs=inputs(), also=[inputs(length=2)], **dynamic)
    yield Case("channels-last", inputs=inputs(last=True), attributes={"channels_last": 1}, **tolerance)
    yield Case("channels-last-first", inputs=inputs(last=True, past=False), attributes={"channels_last": 1}, **tolerance)
    yield Case("dilation", inputs=inputs(), attributes={"dilation": 2}, refuse="dilation is 2, not 1")
