# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::NhwcConv: Conv of images, and with filters, whose last dimension is that of the channels.

The filter is (O, kH, kW, I), as ONNX Runtime's transformer optimizer writes it, and as its GPU kernels take it; its documentation says (O, I, kH, kW).

Source: ONNX Runtime's contrib operator NhwcConv, and fusion_nhwc_conv.py of its transformer optimizer.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_conv = definition_of("com.microsoft", "_conv")


def define(x, w, bias=None, **attributes):
    return _conv.channels_last(_conv.conv(_conv.channels_first(x), _conv.channels_first(w), bias, **attributes)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    constant = {"constants": [1], **tolerance}
    x, w = numbers.floats(1, 6, 7, 4), numbers.floats(8, 3, 3, 2)
    attributes = {"group": 2, "pads": [1, 1, 0, 0], "strides": [2, 1]}
    shaped = {"kernel_shape": [3, 3], **attributes}
    yield Case("bias", inputs=[x, w, numbers.floats(8)], attributes=shaped, **constant)
    yield Case("no-bias", inputs=[x, w], attributes=shaped, **constant)
    yield Case("channels-known", inputs=[x, w], attributes=attributes, shapes=["static", "static"], **tolerance)
    yield Case("computed-filter", inputs=[x, w], attributes=shaped, shapes=["symbolic", "static"], **tolerance)
    # Either layout would fit.
    yield Case("cube", inputs=[numbers.floats(1, 6, 7, 3), numbers.floats(4, 3, 3, 3)], attributes={"kernel_shape": [3, 3]}, **constant)
    yield Case("oblong", inputs=[numbers.floats(2, 6, 7, 3), numbers.floats(4, 2, 3, 3)], attributes={"kernel_shape": [2, 3], "dilations": [2, 1]}, **constant)
    yield Case("one-pixel", inputs=[x, numbers.floats(8, 1, 1, 4)], attributes={"kernel_shape": [1, 1]}, **constant)
    yield Case("unranked-image", inputs=[x, w], attributes=shaped, shapes=["unranked", "static"], **constant)
    half = {"constants": [1], "rtol": 1e-2, "atol": 1e-2, "why": "float16 has eleven bits"}
    yield Case("float16", inputs=[x.astype("float16"), w.astype("float16")], attributes=shaped, **half)
    yield Case("unranked", inputs=[x, w], attributes=attributes, shapes="unranked", refuse="the rank of input 0 (X) is not known")
    documented = numbers.floats(8, 2, 3, 3)
    yield Case("documented-layout", inputs=[x, documented], attributes=shaped, constants=[1], refuse="W is not (O, kH, kW, I): dimension 1 of W is 2, and 3 in kernel_shape")
    yield Case("other-channels", inputs=[x, documented], attributes=attributes, constants=[1], shapes="static", refuse="W is not (O, kH, kW, I): dimension 3 of W is 3, which with")
    yield Case("nothing-known", inputs=[x, w], attributes=attributes, refuse="neither kernel_shape nor the channels of X show that W is (O, kH, kW, I)")
