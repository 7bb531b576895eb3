# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::MMCVMultiScaleDeformableAttention: weighed sums of samples of several images.

Source: mmcv's kernel of ms_deform_attn.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _pixel(image, row, column):
    inside = 0 <= row < image.shape[0] and 0 <= column < image.shape[1]
    return image[row, column] if inside else np.zeros(image.shape[2])


def _sample(image, row, column):
    r, c = int(np.floor(row)), int(np.floor(column))
    dr, dc = row - r, column - c
    return ((1 - dr) * (1 - dc) * _pixel(image, r, c) + (1 - dr) * dc * _pixel(image, r, c + 1)
            + dr * (1 - dc) * _pixel(image, r + 1, c) + dr * dc * _pixel(image, r + 1, c + 1))


def define(value, shapes, starts, places, weights, im2col_step=64):
    batches, queries, heads, levels, points, _ = places.shape
    y = np.zeros((batches, queries, heads, value.shape[3]))
    for n, q, h, level, p in np.ndindex(batches, queries, heads, levels, points):
        height, width = shapes[level]
        image = value[n, starts[level] : starts[level] + height * width, h].astype(np.float64).reshape(height, width, -1)
        across, down = places[n, q, h, level, p].astype(np.float64)
        y[n, q, h] += weights[n, q, h, level, p] * _sample(image, down * height - 0.5, across * width - 0.5)
    return y.reshape(batches, queries, -1).astype(value.dtype)


def cases():
    numbers = _random.Numbers()
    shapes = np.int64([[4, 5], [2, 3], [1, 1]])
    starts = np.int64([0, 20, 26])
    value = numbers.floats(2, 27, 2, 4)
    places = (numbers.generator.random((2, 3, 2, 3, 2, 2)) * 1.6 - 0.3).astype(np.float32)
    weights = numbers.positive(2, 3, 2, 3, 2)
    near = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY}
    inputs = [value, shapes, starts, places, weights]
    yield Case("usual", inputs=inputs, attributes={"im2col_step": 64}, constants=[1, 2], **near)
    yield Case("computed-shapes", inputs=inputs, attributes={"im2col_step": 64}, shapes=["symbolic", "static", "symbolic", "symbolic", "symbolic"], opsets=range(11, 27), **near)
    yield Case("levels-from-weights", inputs=[value, shapes.astype(np.int32), starts.astype(np.int32), places, weights],
               shapes=["symbolic", "symbolic", "symbolic", "symbolic", "static"], opsets=(16, 20), **near)
    yield Case("levels-not-known", inputs=inputs, shapes="symbolic", refuse="dimension 3 of input 4 (attention_weights) is not known")
