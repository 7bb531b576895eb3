# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Pad: Pad whose pads may be a matrix of one row, and whose value may have rank 1.

Source: ONNX Runtime's contrib operator Pad.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, pads, value=None, mode="constant"):
    begins, ends = np.reshape(pads, (2, -1))
    data = data[tuple(slice(max(-begin, 0), size + min(end, 0)) for begin, end, size in zip(begins, ends, data.shape))]
    around = list(zip(np.maximum(begins, 0), np.maximum(ends, 0)))
    if mode != "constant":
        return np.pad(data, around, mode=mode)
    return np.pad(data, around, constant_values=0 if value is None else np.reshape(value, ()))


def cases():
    numbers = _random.Numbers()
    data, pads = numbers.floats(3, 4), np.int64([1, 2, 0, 1])
    # Before opset 11 ONNX's Pad has its pads as an attribute: they must be a constant there, and are none behind a Reshape.
    newer = {"opsets": range(11, 27)}
    yield Case("zero", inputs=[data, pads], **newer)
    yield Case("value", inputs=[data, pads, np.float32(2.5)], **newer)
    yield Case("row", inputs=[data, pads[None], np.float32([2.5])], shapes="static", **newer)
    for constants in ([1], [1, 2]):
        name = "value" if 2 in constants else "computed-value"
        yield Case(f"constant-pads-{name}", inputs=[data, pads, np.float32(2.5)], constants=constants, shapes="static", **newer)
        yield Case(f"cropping-{name}", inputs=[data, np.int64([-1, 2, 1, -1]), np.float32([2.5])], constants=constants, shapes="static", **newer)
    yield Case("reflect", inputs=[data, pads], attributes={"mode": "reflect"}, **newer)
    yield Case("wrap", inputs=[data, pads], attributes={"mode": "wrap"}, opsets=range(13, 27), constants=[1], shapes="static")
    yield Case("edge", inputs=[data, pads], attributes={"mode": "edge"}, constants=[1], **newer)
