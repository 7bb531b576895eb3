# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::ConvTransposeWithDynamicPads: ConvTranspose with its pads as an input.

Source: ONNX Runtime's contrib operator ConvTransposeWithDynamicPads.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, w, pads=None, bias=None, strides=(1, 1), output_padding=(0, 0)):
    top, left, bottom, right = (0, 0, 0, 0) if pads is None else pads
    size = [(x.shape[2 + axis] - 1) * strides[axis] + w.shape[2 + axis] + output_padding[axis] for axis in (0, 1)]
    y = np.zeros((x.shape[0], w.shape[1], *size))
    for row, column in np.ndindex(*x.shape[2:]):
        r, c = row * strides[0], column * strides[1]
        y[:, :, r : r + w.shape[2], c : c + w.shape[3]] += np.einsum("nc,cmhw->nmhw", x[:, :, row, column].astype(np.float64), w)
    y = y[:, :, top : size[0] - bottom, left : size[1] - right]
    return (y if bias is None else y + bias.reshape(-1, 1, 1)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    x, w, pads = numbers.floats(1, 2, 5, 5), numbers.floats(2, 3, 3, 3), np.int64([1, 1, 1, 1])
    attributes = {"strides": [2, 2], "output_padding": [1, 1]}
    yield Case("bias", inputs=[x, w, pads, numbers.floats(3)], attributes=attributes, constants=[1, 2, 3], **tolerance)
    yield Case("no-pads", inputs=[x, w], attributes={"strides": [2, 2]}, constants=[1], **tolerance)
    yield Case("computed-pads", inputs=[x, w, pads], refuse="input 2 (Pads) is not a constant")
