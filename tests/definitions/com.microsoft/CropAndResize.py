# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::CropAndResize: crops of images, each resized to the same size, the corners of a crop being its first and last samples.

Places are computed as ONNX Runtime's kernel computes them, in float and in that order, and halfway between two pixels the nearest is the later one: a last bit
decides what is nearest, and what is outside.

Source: ONNX Runtime's contrib operator CropAndResize.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _places(low, high, size, count):
    last, low, high = np.float32(size - 1), np.float32(low), np.float32(high)
    if count == 1:
        return [np.float32(0.5 * float(low + high) * float(last))]
    step = (high - low) * last / np.float32(count - 1)
    inner = [low * last + np.float32(number) * step for number in range(1, count - 1)]
    return [low * last, *inner, high * last]


def _near(place):
    return int(np.floor(place)) + int(place - np.floor(place) >= 0.5)


def define(x, rois, batch_indices, crop_size, mode="bilinear", extrapolation_value=0.0):
    height, width = x.shape[2:]
    y = np.full((len(rois), x.shape[1], *crop_size), extrapolation_value, np.float64)
    for region, (top, left, bottom, right) in enumerate(rois):
        image = x[batch_indices[region]].astype(np.float64)
        for i, row in enumerate(_places(top, bottom, height, crop_size[0])):
            for j, column in enumerate(_places(left, right, width, crop_size[1])):
                if not (0 <= row <= height - 1 and 0 <= column <= width - 1):
                    continue
                if mode == "nearest":
                    y[region, :, i, j] = image[:, _near(row), _near(column)]
                    continue
                r, c = int(row), int(column)
                below, beside = min(r + 1, height - 1), min(c + 1, width - 1)
                upper = image[:, r, c] * (1 - (column - c)) + image[:, r, beside] * (column - c)
                lower = image[:, below, c] * (1 - (column - c)) + image[:, below, beside] * (column - c)
                y[region, :, i, j] = upper * (1 - (row - r)) + lower * (row - r)
    return y.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 7, 9)
    rois = np.float32([[0.1, 0.2, 0.7, 0.9], [0.0, 0.0, 1.0, 1.0], [-0.3, 0.4, 0.6, 1.3], [0.8, 0.9, 0.2, 0.1]])
    indices = np.int32([0, 1, 1, 0])
    exact = {"constants": [3]}
    common = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, **exact}
    yield Case("bilinear", inputs=[x, rois, indices, np.int32([4, 5])], **common)
    yield Case("filler", inputs=[x, rois, indices, np.int32([1, 3])], attributes={"extrapolation_value": 2.5}, **common)
    yield Case("two-samples", inputs=[x, rois, indices, np.int32([2, 1])], shapes="static", **common)
    yield Case("float16", inputs=[x.astype(np.float16), rois.astype(np.float16), indices, np.int32([4, 5])], rtol=2e-3, atol=2e-3, why="float16 has eleven bits", **exact)
    nearest = {"mode": "nearest", "extrapolation_value": -3.0}
    yield Case("nearest", inputs=[x, rois, indices, np.int32([4, 5])], attributes=nearest, **exact)
    # On the pixels, on the edge of the image, and halfway between.
    ties = np.float32([[0.0, 0.0, 1.0, 1.0], [0.25, 0.75, 0.75, 0.25], [0.5, 0.0, 0.5, 1.0], [0.125, 0.0625, 0.875, 1.0]])
    for size in ([3, 3], [1, 1], [5, 2]):
        yield Case(f"nearest-ties-{size[0]}", inputs=[numbers.floats(2, 3, 6, 8), ties, indices, np.int32(size)], attributes=nearest, **exact)
        yield Case(f"bilinear-ties-{size[0]}", inputs=[numbers.floats(2, 3, 6, 8), ties, indices, np.int32(size)], **common)
    # What is infinite, or no number, is outside of the image.
    nowhere = np.float32([[np.inf, 0.2, np.inf, 0.9], [0.1, -np.inf, 0.9, np.inf], [np.nan, 0.4, 0.6, 0.8], [0.8, 0.9, 0.2, np.nan]])
    yield Case("nowhere", inputs=[x, nowhere, indices, np.int32([4, 5])], attributes=nearest, **exact)
    yield Case("nowhere-bilinear", inputs=[x, nowhere, indices, np.int32([2, 3])], attributes={"extrapolation_value": 2.5}, **common)
    yield Case("computed-size", inputs=[x, rois, indices, np.int32([4, 5])], refuse="input 3 (crop_size) is not a constant of 2 numbers")
