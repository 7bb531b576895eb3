# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Col2Im: columns put where their blocks were, and added where blocks overlap.

Source: ONNX Col2Im-18.
"""
import itertools

import numpy as np

from definition import Case


def define(x, image_shape, block_shape, *, dilations=None, pads=None, strides=None):
    axes = len(image_shape)
    dilations, strides, pads = dilations or [1] * axes, strides or [1] * axes, pads or [0] * (2 * axes)
    counts = [(image_shape[i] + pads[i] + pads[i + axes] - dilations[i] * (block_shape[i] - 1) - 1) // strides[i] + 1 for i in range(axes)]
    cells = int(np.prod(block_shape))
    columns = x.reshape(x.shape[0], -1, cells, int(np.prod(counts))).astype(np.float64)
    image = np.zeros((*columns.shape[:2], *image_shape))
    for c, cell in enumerate(itertools.product(*map(range, block_shape))):
        for b, block in enumerate(itertools.product(*map(range, counts))):
            place = [block[i] * strides[i] + cell[i] * dilations[i] - pads[i] for i in range(axes)]
            if all(0 <= p < size for p, size in zip(place, image_shape)):
                image[(slice(None), slice(None), *place)] += columns[:, :, c, b]
    return image.astype(x.dtype)


def cases():
    random = np.random.default_rng(10)

    def case(name, image, block, channels=2, **attributes):
        axes = len(image)
        strides, dilations = attributes.get("strides", [1] * axes), attributes.get("dilations", [1] * axes)
        pads = attributes.get("pads", [0] * 2 * axes)
        blocks = np.prod([(image[i] + pads[i] + pads[i + axes] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1 for i in range(axes)])
        x = random.normal(size=(2, channels * int(np.prod(block)), int(blocks))).astype(np.float32)
        near = {"rtol": 1e-5, "atol": 1e-5, "why": "Sums are made in another order."}
        shapes = [(None, None, None), (axes,), (axes,)]
        for constants in ((), (1, 2)):
            yield Case(f"{name}{'-constants' if constants else ''}", inputs=[x, np.int64(image), np.int64(block)], attributes=attributes, constants=constants, shapes=shapes,
                       output_shapes=[(None,) * (axes + 2)], written_for=18, opsets=range(9, 18), **near)

    yield from case("plain", [5, 6], [2, 3])
    yield from case("strides", [5, 7], [2, 3], strides=[2, 2])
    yield from case("pads", [5, 5], [3, 2], pads=[1, 0, 2, 1])
    yield from case("dilations", [6, 7], [2, 2], dilations=[3, 2], channels=1)
    yield from case("all", [6, 5], [2, 3], dilations=[2, 1], strides=[1, 2], pads=[1, 2, 0, 1])
    yield from case("tiles", [4, 9], [2, 3], strides=[2, 3])
    yield from case("tiles-cropped", [3, 8], [2, 3], strides=[2, 3], pads=[1, 0, 0, 1])
    yield from case("apart", [9, 7], [2, 2], strides=[3, 4], pads=[0, 1, 0, 0])
    yield from case("line", [8], [3], strides=[2])
    yield from case("volume", [4, 3, 5], [2, 1, 3])
