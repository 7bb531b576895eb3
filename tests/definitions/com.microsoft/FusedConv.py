# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::FusedConv: Conv, plus Z, through an activation.

Source: ONNX Runtime's contrib operator FusedConv.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_activation = definition_of("com.microsoft", "_activation")
_conv = definition_of("com.microsoft", "_conv")


def define(x, w, bias=None, z=None, activation="", activation_params=(), **attributes):
    y = _conv.conv(x, w, bias, **attributes)
    if z is not None:
        y = y + z
    return _activation.activate(y, activation, activation_params).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "constants": [1]}
    x, w, bias, z = numbers.floats(1, 4, 6, 6), numbers.floats(4, 2, 3, 3), numbers.floats(4), numbers.floats(1, 4, 6, 6)
    around = {"group": 2, "pads": [1, 1, 1, 1], "kernel_shape": [3, 3]}
    for activation, parameters in (("Relu", []), ("Tanh", []), ("Sigmoid", []), ("LeakyRelu", [0.25]), ("Clip", [-0.5, 0.5]),
                                   ("HardSigmoid", [0.25, 0.375])):
        attributes = {"activation": activation, **around}
        if parameters:
            attributes["activation_params"] = parameters
        yield Case(activation, inputs=[x, w, bias], attributes=attributes, **tolerance)
    # As --set writes numbers without a point.
    yield Case("params-of-integers", inputs=[x, w, bias], attributes={"activation": "HardSigmoid", "activation_params": [2, 3], **around}, **tolerance)
    yield Case("sum", inputs=[x, w, bias, z], attributes={"activation": "Relu", **around}, **tolerance)
    yield Case("sum-no-bias", inputs=[x, w, None, z], attributes=around, **tolerance)
    yield Case("strides", inputs=[x, w], attributes={"group": 2, "strides": [2, 1], "dilations": [1, 2], "activation": "Relu"}, **tolerance)
    yield Case("same", inputs=[x, w], attributes={"group": 2, "auto_pad": "SAME_UPPER", "strides": [2, 2], "activation": "Relu"}, **tolerance)
