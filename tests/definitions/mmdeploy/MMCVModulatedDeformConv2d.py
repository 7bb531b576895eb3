# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmcv's modulated deformable convolution, and its kin of CenterNet and TensorRT: (image, offset, mask, weight[, bias]).

Source: mmcv.ops.modulated_deform_conv2d and CharlesShang/DCNv2; the computation is that of custom::deform_conv2d.
"""
from definition import Case, definition_of

deformable = definition_of("custom", "deform_conv2d")

NAMES = [("MMCVModulatedDeformConv2d", domain, "deform_groups") for domain in ("mmdeploy", "mmcv", "ai.onnx", "custom")]
NAMES += [(op_type, domain, "deformable_groups") for op_type in ("_DCNv2", "DCNv2", "DCNv2_TRT") for domain in ("ai.onnx", "custom", "mmcv", "mmdeploy", "TRT", "trt")]


def define(image, offset, mask, weight, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1), **_):
    return deformable.convolve(image, weight, offset, mask, bias, stride, padding, dilation)


def cases():
    numbers = dict(stride=[2, 1], padding=[1, 2], dilation=[1, 2])
    image, weight, offset, mask, bias = deformable.operands(1, groups=2, offset_groups=2, **numbers)
    shapes = ["symbolic", "symbolic", "symbolic", "static", "static"]
    for op_type, domain, groups_name in NAMES:
        attributes = dict(numbers, groups=2, **{groups_name: 2})
        if op_type == "DCNv2_TRT":
            attributes["oc"] = 4
        yield Case(f"{domain}-{op_type}", domain=domain, op_type=op_type, inputs=[image, offset, mask, weight, bias], shapes=shapes, attributes=attributes,
                   opsets=(9, 11, 14, 18), **deformable.ONCE)
    yield Case("no-bias", inputs=[image, offset, mask, weight], shapes=shapes[:4], attributes=dict(numbers, groups=2, deform_groups=2), opsets=(11, 16), **deformable.ONCE)
    yield Case("standard-operator", inputs=[image, offset, mask, weight, bias], shapes=shapes, attributes=dict(numbers, groups=2, deform_groups=2),
               options=["--target", "onnxruntime"], **deformable.FROM_19, **deformable.ONCE)
    yield Case("refuse-outputs", domain="ai.onnx", op_type="DCNv2_TRT", inputs=[image, offset, mask, weight, bias], shapes=shapes, attributes=dict(numbers, oc=5),
               opsets=(11,), refuse="number of outputs")
