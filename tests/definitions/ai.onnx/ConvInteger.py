# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ConvInteger: the convolution of integers less their zero points.

Source: ONNX ConvInteger-10.
"""
import numpy as np

from definition import Case, definition_of

_conv = definition_of("com.microsoft", "_conv")


def define(x, w, x_zero=None, w_zero=None, **attributes):
    # A double is exact for sums of bytes' products.
    image = x.astype(np.int32) - (0 if x_zero is None else np.int32(np.reshape(x_zero, ())))
    filters = w.astype(np.int32) - (0 if w_zero is None else np.reshape(w_zero.astype(np.int32), (-1, 1, 1, 1)))
    return _conv.conv(image, filters, **attributes).astype(np.int32)


def cases():
    random = np.random.default_rng(0)

    def codes(dtype, *shape):
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max + 1, shape).astype(dtype)

    x, w = codes(np.uint8, 2, 4, 6, 5), codes(np.uint8, 6, 2, 3, 3)
    grouped = {"group": 2, "pads": [1, 0, 1, 2], "strides": [2, 1]}
    common = {"opsets": [9], "constants": [1]}
    yield Case("plain", inputs=[x, w], attributes={"group": 2}, **common)
    yield Case("zeros", inputs=[x, w, np.uint8(7), np.uint8(130)], attributes=grouped, **common)
    yield Case("zero-of-x", inputs=[x, w, np.uint8(255)], attributes=grouped, **common)
    yield Case("zero-of-w", inputs=[x, w, None, np.uint8(255)], attributes={"group": 2, "auto_pad": "SAME_UPPER"}, shapes="static", opsets=[9])
    yield Case("zeros-of-outputs", inputs=[x, w, np.uint8([7]), codes(np.uint8, 6)], attributes={"group": 2, "dilations": [2, 1]}, **common)
    # As many products as float has no exact sums for, unless factors are split.
    for cells in (258, 259, 4112, 4113, 65536):
        x, w = np.full((1, cells, 1, 2), 255, np.uint8), np.full((1, cells, 1, 1), 255, np.uint8)
        x[0, ::3], w[0, 1:-1:3] = 254, 253
        if cells * 255 * 255 >= 2**31:
            w[0, ::2] = 0
        yield Case(f"cells-{cells}", inputs=[x, w], **common)
        yield Case(f"negative-cells-{cells}", inputs=[x, (w - 127).astype(np.int8), np.uint8(250), np.int8(127)], **common)
    yield Case("too-many-cells", inputs=[codes(np.uint8, 1, 65537, 1, 2), codes(np.uint8, 1, 65537, 1, 1)], refuse="sums in float are exact for 65536 at most", **common)
