# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::NhwcFusedConv: FusedConv of images whose last dimension is that of the channels; the filter is (O, I, kH, kW).

Source: ONNX Runtime's contrib operator NhwcFusedConv.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_activation = definition_of("com.microsoft", "_activation")
_conv = definition_of("com.microsoft", "_conv")


def define(x, w, bias=None, z=None, activation="", activation_params=(), **attributes):
    y = _conv.channels_last(_conv.conv(_conv.channels_first(x), w, bias, **attributes))
    if z is not None:
        y = y + z
    return _activation.activate(y, activation, activation_params).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "constants": [1]}
    x, w, z = numbers.floats(1, 6, 7, 4), numbers.floats(8, 4, 3, 3), numbers.floats(1, 6, 7, 8)
    attributes = {"pads": [1, 1, 1, 1], "activation": "Relu"}
    yield Case("sum", inputs=[x, w, numbers.floats(8), z], attributes=attributes, **tolerance)
    yield Case("relu", inputs=[x, w], attributes=attributes, **tolerance)
    oblong = {"kernel_shape": [2, 3], "activation": "Relu"}
    yield Case("oblong", inputs=[x, numbers.floats(8, 4, 2, 3)], attributes=oblong, **tolerance)
    yield Case("channels-last-filter", inputs=[x, numbers.floats(8, 2, 3, 4)], attributes=oblong, constants=[1], refuse="W is not (O, I, kH, kW): dimension")
