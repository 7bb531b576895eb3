"""com.microsoft::NhwcConv: Conv of images whose last dimension is that of the channels.

Source: ONNX Runtime's contrib operator NhwcConv.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_conv = definition_of("com.microsoft", "_conv")


def define(x, w, bias=None, **attributes):
    return _conv.channels_last(_conv.conv(_conv.channels_first(x), w, bias, **attributes)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "constants": [1]}
    x, w = numbers.floats(1, 6, 7, 4), numbers.floats(8, 2, 3, 3)
    attributes = {"group": 2, "pads": [1, 1, 0, 0], "strides": [2, 1]}
    yield Case("bias", inputs=[x, w, numbers.floats(8)], attributes=attributes, **tolerance)
    yield Case("no-bias", inputs=[x, w], attributes=attributes, **tolerance)
    yield Case("unranked", inputs=[x, w], attributes=attributes, shapes="unranked", refuse="the rank of X is not known")
