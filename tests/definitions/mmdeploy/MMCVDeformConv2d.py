# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmcv's deformable convolution: (image, offset, weight).

Source: mmcv.ops.deform_conv2d; the computation is that of custom::deform_conv2d. mmdeploy writes four paddings, in pairs: top, bottom, left, right.
"""
from definition import Case, definition_of

deformable = definition_of("custom", "deform_conv2d")


def define(image, offset, weight, stride=(1, 1), padding=(0, 0), dilation=(1, 1), **_):
    return deformable.convolve(image, weight, offset, None, None, stride, padding, dilation)


def cases():
    numbers = dict(stride=[2, 1], padding=[1, 2], dilation=[1, 2])
    image, weight, offset, _, _ = deformable.operands(1, groups=2, offset_groups=2, **numbers)
    inputs, shapes = [image, offset, weight], ["symbolic", "symbolic", "static"]
    for domain in ("mmdeploy", "mmcv", "ai.onnx", "custom"):
        yield Case(domain, domain=domain, inputs=inputs, shapes=shapes, opsets=(9, 11, 14, 18), **deformable.ONCE,
                   attributes=dict(numbers, groups=2, deform_groups=2, bias=0, im2col_step=32))
    yield Case("four-paddings", inputs=inputs, shapes=shapes, attributes=dict(numbers, padding=[1, 1, 2, 2], groups=2, deform_groups=2), meaning=numbers,
               opsets=(11, 16), **deformable.ONCE)
    yield Case("refuse-bias", inputs=inputs, shapes=shapes, attributes=dict(numbers, bias=1), opsets=(11,), refuse="bias")
