# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Deformable convolution: a convolution whose kernel cells read the image where learnt offsets move them.

Source: Dai et al., "Deformable Convolutional Networks" (2017), and Zhu et al., "Deformable ConvNets v2" (2018), with the arguments and the
behaviour at the border of torchvision.ops.deform_conv2d: a point at y <= -1, y >= H, x <= -1 or x >= W reads zero, elsewhere the
neighbours that are outside the image count as zero. Computed in float64 and rounded once.
"""
import itertools
import math

import numpy as np

from definition import Case

ONCE = dict(rtol=2e-5, atol=2e-5, why="the products of a patch are summed in float32, in another order")
HALF = dict(rtol=2e-3, atol=2e-3, why="sampled and summed in float32, then rounded to float16")


def sample(plane, y, x):
    height, width = plane.shape
    if not (-1 < y < height and -1 < x < width):
        return 0.0
    top, left = math.floor(y), math.floor(x)
    total = 0.0
    for row, column in itertools.product((top, top + 1), (left, left + 1)):
        if 0 <= row < height and 0 <= column < width:
            total += (1 - abs(y - row)) * (1 - abs(x - column)) * plane[row, column]
    return total


def convolve(image, weight, offset, mask=None, bias=None, stride=(1, 1), padding=(0, 0), dilation=(1, 1)):
    batch, channels, height, width = image.shape
    outputs, group_channels, kernel_height, kernel_width = weight.shape
    cells = kernel_height * kernel_width
    groups, offset_groups = channels // group_channels, offset.shape[1] // (2 * cells)
    top, left, bottom, right = padding if len(padding) == 4 else (*padding, *padding)
    rows = (height + top + bottom - dilation[0] * (kernel_height - 1) - 1) // stride[0] + 1
    columns = (width + left + right - dilation[1] * (kernel_width - 1) - 1) // stride[1] + 1
    assert offset.shape == (batch, 2 * cells * offset_groups, rows, columns)
    result = np.zeros((batch, outputs, rows, columns))
    patch = np.zeros((channels, cells))
    for n, row, column in itertools.product(range(batch), range(rows), range(columns)):
        for channel, cell in itertools.product(range(channels), range(cells)):
            place = channel // (channels // offset_groups) * cells + cell
            y = row * stride[0] - top + cell // kernel_width * dilation[0] + float(offset[n, 2 * place, row, column])
            x = column * stride[1] - left + cell % kernel_width * dilation[1] + float(offset[n, 2 * place + 1, row, column])
            patch[channel, cell] = sample(image[n, channel].astype(np.float64), y, x)
            if mask is not None:
                patch[channel, cell] *= float(mask[n, place, row, column])
        for output in range(outputs):
            first = output // (outputs // groups) * group_channels
            kernel = weight[output].reshape(group_channels, cells).astype(np.float64)
            result[n, output, row, column] = (patch[first : first + group_channels] * kernel).sum()
    if bias is not None:
        result += bias.astype(np.float64)[:, None, None]
    return result.astype(image.dtype)


def define(image, weight, offset, mask=None, bias=None, **numbers):
    if mask is not None and mask.ndim == 1:
        mask, bias = None, mask
    if numbers.pop("use_mask", 1) == 0 or (mask is not None and mask.ndim == 2):
        mask = None
    return convolve(image, weight, offset, mask, bias, **{name: numbers[name] for name in ("stride", "padding", "dilation") if name in numbers})


def operands(seed, batch=2, channels=4, size=(7, 6), outputs=4, kernel=(3, 3), groups=1, offset_groups=1, stride=(1, 1), padding=(0, 0),
             dilation=(1, 1), dtype=np.float32, far=1.5):
    """image, weight, offset, mask, bias. Some offsets are whole, so that points meet pixels and the border exactly; some are far outside."""
    random = np.random.default_rng(seed)
    pads = padding if len(padding) == 4 else (*padding, *padding)
    out = [(size[i] + pads[i] + pads[i + 2] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in (0, 1)]
    cells = kernel[0] * kernel[1]
    offset = random.normal(0, far, (batch, 2 * cells * offset_groups, *out))
    offset = np.where(random.random(offset.shape) < 0.3, np.round(offset), offset)
    offset = np.where(random.random(offset.shape) < 0.05, offset * 1000, offset)
    arrays = (
        random.normal(0, 1, (batch, channels, *size)),
        random.normal(0, 1, (outputs, channels // groups, *kernel)),
        offset,
        random.random((batch, cells * offset_groups, *out)),
        random.normal(0, 1, outputs),
    )
    return [array.astype(dtype) for array in arrays]


# The offsets' size is that of the output, and the weight's is known in every export.
SHAPES = ["symbolic", "static", "symbolic", "symbolic", "static"]
BELOW_19 = dict(opsets=range(9, 19))
FROM_19 = dict(opsets=range(19, 27), cannot={"openvino": "it has no DeformConv"})


def cases():
    numbers = dict(stride=[2, 1], padding=[1, 2], dilation=[1, 2])
    full = operands(1, groups=2, offset_groups=2, **numbers)
    other_size = operands(2, batch=1, size=(9, 5), groups=2, offset_groups=2, **numbers)
    empty = operands(3, batch=0, groups=2, offset_groups=2, **numbers)
    for label, opsets in (("gathered", {}), ("standard-operator", dict(FROM_19, options=["--target", "onnxruntime"]))):
        yield Case(f"full-{label}", inputs=full, shapes=SHAPES, attributes=dict(numbers, groups=2, offset_groups=2),
                   also=[other_size, empty], **opsets, **ONCE)
        yield Case(f"no-mask-{label}", inputs=operands(4)[:3], shapes=SHAPES[:3], attributes=dict(stride=[1, 1], padding=[0, 0], dilation=[1, 1]),
                   also=[operands(5, size=(3, 3))[:3], operands(6, batch=1, size=(12, 3))[:3]], **opsets, **ONCE)
        yield Case(f"float16-{label}", inputs=operands(7, dtype=np.float16, **numbers), shapes=SHAPES, attributes=numbers, **opsets, **HALF)
        yield Case(f"float64-{label}", inputs=operands(8, dtype=np.float64, **numbers), shapes=SHAPES, attributes=numbers, rtol=1e-12, atol=1e-12,
                   why="the products of a patch are summed in another order", **opsets)
    some = dict(opsets=(11, 13, 18))
    yield Case("attributes-one-by-one", inputs=full, shapes=SHAPES, meaning=numbers, **some, **ONCE,
               attributes=dict(stride_h=2, stride_w=1, pad_h=1, pad_w=2, dilation_h=1, dilation_w=2, groups=2, offset_groups=2, use_mask=1))
    yield Case("attributes-with-suffix", inputs=full, shapes=SHAPES, meaning=numbers, **some, **ONCE,
               attributes=dict(stride_i=[2, 1], padding_i=[1, 2], dilation_i=[1, 2], groups_i=2, offset_groups_i=2))
    yield Case("single-numbers", inputs=operands(9, stride=(2, 2), padding=(1, 1))[:3], shapes=SHAPES[:3], attributes=dict(stride=2, padding=1, dilation=1),
               meaning=dict(stride=[2, 2], padding=[1, 1]), **some, **ONCE)
    yield Case("four-paddings", inputs=operands(10, padding=(0, 1, 2, 3)), shapes=SHAPES, attributes=dict(stride=[1, 1], padding=[0, 1, 2, 3], dilation=[1, 1]),
               **some, **ONCE)
    image, weight, offset, mask, bias = operands(11, groups=2, offset_groups=4)
    yield Case("more-offset-groups", inputs=[image, weight, offset, mask], shapes=SHAPES[:4], attributes=dict(offset_groups=4, groups=2, stride=1, padding=0, dilation=1),
               meaning={}, **some, **ONCE)
    image, weight, offset, mask, bias = operands(12, groups=4, offset_groups=2)
    yield Case("more-groups", inputs=[image, weight, offset, bias], shapes=[*SHAPES[:3], "static"], attributes=dict(offset_groups=2, groups=4, stride=1, padding=0, dilation=1),
               meaning={}, **some, **ONCE)
    image, weight, offset, mask, bias = operands(13, offset_groups=4, kernel=(1, 2), outputs=3)
    yield Case("mask-absent", inputs=[image, weight, offset, None, bias], shapes=SHAPES, attributes=dict(offset_groups=4, stride=1, padding=0, dilation=1), meaning={}, **some, **ONCE)
    yield Case("mask-is-dummy", constants=(3,), inputs=[image, weight, offset, np.zeros((2, 1), np.float32), bias], shapes=[*SHAPES[:3], "static", "static"],
               attributes=dict(offset_groups=4, stride=1, padding=0, dilation=1), meaning={}, **some, **ONCE)
    yield Case("bias-is-dummy", constants=(4,), inputs=[image, weight, offset, mask, np.zeros(0, np.float32)], shapes=SHAPES, attributes=dict(offset_groups=4), meaning={},
               define=lambda *inputs: convolve(*inputs[:4]), **some, **ONCE)
    yield Case("mask-not-used", constants=(3,), inputs=[image, weight, offset, mask, bias], shapes=SHAPES, attributes=dict(offset_groups=4, use_mask=0), meaning=dict(use_mask=0), **some, **ONCE)

    # What the export lost.
    yield Case("lost-dynamic", inputs=operands(14), shapes=SHAPES, **some, **ONCE)
    yield Case("lost-static", inputs=operands(14), shapes="static", **some, **ONCE)
    yield Case("lost-groups", inputs=operands(15, groups=2, offset_groups=2, padding=(1, 1)), shapes="static", set=dict(padding=[1, 1]), **some, **ONCE)
    yield Case("stride-from-shapes", inputs=operands(16, padding=(1, 1), stride=(2, 2)), shapes="static", attributes=dict(padding=[1, 1], dilation=1),
               meaning=dict(padding=[1, 1], stride=[2, 2]), **some, **ONCE)
    yield Case("padding-from-shapes", inputs=operands(17, padding=(2, 1)), shapes="static", attributes=dict(stride=1, dilation=1),
               meaning=dict(padding=[2, 1]), **some, **ONCE)
    yield Case("pixels-not-finite", inputs=not_finite(), shapes=SHAPES, attributes=numbers, opsets=(11, 18), **ONCE)

    refused = dict(opsets=(12, 19))
    yield Case("refuse-default-padding", inputs=operands(18, padding=(1, 1)), shapes="static", refuse="make a height of 5 from 7", **refused)
    yield Case("refuse-wrong-padding", inputs=operands(18, padding=(1, 1)), shapes="static", attributes=dict(stride=1, padding=2, dilation=1), refuse="make a height of 9", **refused)
    yield Case("refuse-unknown-attribute", inputs=operands(18), shapes="static", attributes=dict(flavour=1), refuse="flavour", **refused)
    yield Case("refuse-groups", inputs=operands(18), shapes="static", attributes=dict(groups=3), refuse="groups", **refused)
    yield Case("refuse-rank", inputs=[array[0] if index == 0 else array for index, array in enumerate(operands(18))], shapes="static", refuse="rank 3", **refused)
    broken = operands(18)
    broken[2] = broken[2][:, :17]
    yield Case("refuse-offset-channels", inputs=broken, shapes="static", refuse="odd number of channels", **refused)

    # torchvision's own order, its numbers as constants.
    tail = [np.int64(number) for number in (2, 1, 1, 2, 1, 2, 2, 2)]
    yield Case("torchvision", domain="torchvision", inputs=[*full, *tail, np.bool_(True)], constants=range(5, 14), shapes=[*SHAPES, *["static"] * 9],
               define=lambda *inputs: convolve(*inputs[:5], **numbers), **some, **ONCE)
    yield Case("torchvision-no-mask", domain="torchvision", inputs=[*full[:3], np.zeros((2, 1), np.float32), full[4], *tail, np.bool_(False)], constants=(3, *range(5, 14)),
               constants_as="node", shapes=[*SHAPES[:3], "static", "static", *["static"] * 9],
               define=lambda *inputs: convolve(*inputs[:3], None, inputs[4], **numbers), **some, **ONCE)
    yield Case("torchvision-attributes", domain="torchvision", inputs=full, shapes=SHAPES, attributes=dict(numbers, groups=2, offset_groups=2), **some, **ONCE)

    # The numbers as three lists; the bias before the mask; the offset before the weight.
    lists = [np.int64(pair) for pair in ([2, 1], [1, 2], [1, 2])]
    yield Case("lists", cannot={"kernel": "it takes nine scalars"}, inputs=[*full, *lists], constants=(5, 6, 7), shapes="static", define=lambda *inputs: convolve(*inputs[:5], **numbers), **some, **ONCE)
    yield Case("lists-and-groups", cannot={"kernel": "it takes nine scalars"}, inputs=[*full, *lists, np.int64(2), np.int64(2), np.bool_(True)], constants=range(5, 11), shapes=[*SHAPES, *["static"] * 6],
               define=lambda *inputs: convolve(*inputs[:5], **numbers), **some, **ONCE)
    image, weight, offset, mask, bias = full
    yield Case("bias-before-mask", cannot={"kernel": "it takes one order of inputs"}, inputs=[image, weight, offset, bias, mask], shapes=[*SHAPES[:3], "static", "symbolic"], attributes=dict(numbers, groups=2, offset_groups=2), meaning={},
               define=lambda image, weight, offset, bias, mask: convolve(image, weight, offset, mask, bias, **numbers), **some, **ONCE)
    yield Case("offset-before-weight", cannot={"kernel": "it takes one order of inputs"}, inputs=[image, offset, weight, mask, bias], shapes=["static"] * 5, attributes=numbers, meaning={},
               define=lambda image, offset, weight, mask, bias: convolve(image, weight, offset, mask, bias, **numbers), **some, **ONCE)
    yield Case("default-domain", domain="ai.onnx", inputs=full, shapes=SHAPES, attributes=dict(numbers, groups=2, offset_groups=2), **some, **ONCE)
    for name, stride in (("text", "[2, 1]"), ("floats", [2.0, 1.0]), ("tensor", np.int64([2, 1]))):
        yield Case(f"stride-as-{name}", inputs=full, shapes=SHAPES, attributes=dict(numbers, stride=stride, groups=2, offset_groups=2), meaning=numbers,
                   cannot={"kernel": "ONNX Runtime gives it attributes of their own type only"}, **some, **ONCE)
    yield Case("refuse-stride", inputs=full, shapes=SHAPES, attributes=dict(numbers, stride=[2.5, 1.0]), refuse="attribute 'stride' is floats, and the rule takes ints", **refused)


def not_finite():
    """A pixel that no sampling point touches is not even multiplied by zero: here only the last one is not finite, and all points stay away."""
    image, weight, offset, mask, bias = operands(19, stride=(2, 1), padding=(1, 2), dilation=(1, 2), far=0.0)
    offset = np.full_like(offset, -0.5)
    image[:, :, -1, -1] = np.inf
    image[:, :, 0, -1] = np.nan
    offset[:, 1::2] = -6
    return [image, weight, offset, mask, bias]
