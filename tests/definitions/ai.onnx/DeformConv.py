# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx DeformConv, below opset 19 too.

Source: the ONNX specification, DeformConv-19; the computation is that of custom::deform_conv2d, with the inputs (image, weight, offset, bias, mask).
"""
from definition import Case, definition_of

deformable = definition_of("custom", "deform_conv2d")


def define(image, weight, offset, bias=None, mask=None, strides=(1, 1), pads=(0, 0, 0, 0), dilations=(1, 1), **_):
    return deformable.convolve(image, weight, offset, mask, bias, strides, pads, dilations)


def cases():
    attributes = dict(strides=[1, 2], pads=[0, 1, 2, 1], dilations=[2, 1], group=2, offset_group=2, kernel_shape=[3, 3])
    image, weight, offset, mask, bias = deformable.operands(1, stride=(1, 2), padding=(0, 1, 2, 1), dilation=(2, 1), groups=2, offset_groups=2)
    shapes = ["symbolic", "static", "symbolic", "static", "symbolic"]
    for label, opsets in (("below-19", deformable.BELOW_19), ("from-19", deformable.FROM_19)):
        yield Case(label, inputs=[image, weight, offset, bias, mask], shapes=shapes, attributes=attributes, **opsets, **deformable.ONCE)
        yield Case(f"no-bias-{label}", inputs=[image, weight, offset, None, mask], shapes=shapes, attributes=attributes, **opsets, **deformable.ONCE)
    yield Case("gathered-at-every-opset", inputs=[image, weight, offset, bias, mask], shapes=shapes, attributes=attributes, options=["--target", "openvino"],
               opsets=(11, 18, 19, 22, 26), **deformable.ONCE)
    yield Case("refuse-unknown-weight", inputs=[image, weight, offset], attributes=attributes, opsets=(11,), refuse="dimension 0 of input 1 (W) is not known")
