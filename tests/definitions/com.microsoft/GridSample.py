# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GridSample: samples an image at the points of a grid, as torch's grid_sample.

Source: ONNX Runtime's contrib operator GridSample.
"""
import itertools

import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _inside(position, size, padding_mode, align_corners):
    """A coordinate moved into the image, and whether it counts."""
    if padding_mode == "border":
        return np.clip(position, 0, size - 1), True
    if padding_mode == "reflection":
        low, high = (0, size - 1) if align_corners else (-0.5, size - 0.5)
        span = high - low
        if span <= 0:
            return 0.0, True
        away = np.abs(position - low) % (2 * span)
        return np.clip(low + (away if away <= span else 2 * span - away), 0, size - 1), True
    return position, None


def define(x, grid, align_corners=0, mode="bilinear", padding_mode="zeros"):
    batch, channels, height, width = x.shape
    y = np.zeros((batch, channels, *grid.shape[1:3]))

    def pixel(b, row, column):
        if padding_mode == "zeros":
            inside = 0 <= row < height and 0 <= column < width
            return x[b, :, int(row), int(column)].astype(np.float64) if inside else np.zeros(channels)
        row = _inside(row, height, padding_mode, align_corners)[0]
        column = _inside(column, width, padding_mode, align_corners)[0]
        return x[b, :, int(row), int(column)].astype(np.float64)

    def cubic(distance, a=-0.75):
        d = abs(distance)
        if d <= 1:
            return ((a + 2) * d - (a + 3)) * d * d + 1
        return (((d - 5) * d + 8) * d - 4) * a if d < 2 else 0.0

    for b, i, j in np.ndindex(batch, *grid.shape[1:3]):
        gx, gy = grid[b, i, j].astype(np.float64)
        if align_corners:
            column, row = (gx + 1) / 2 * (width - 1), (gy + 1) / 2 * (height - 1)
        else:
            column, row = ((gx + 1) * width - 1) / 2, ((gy + 1) * height - 1) / 2
        # As the kernel has it: what is no number, or too many pixels away for an integer, is a point at -1.
        column, row = (place if abs(place) < 2**62 else 0 if align_corners else -0.5 for place in (column, row))
        if mode != "bicubic" and padding_mode != "zeros":
            row = _inside(row, height, padding_mode, align_corners)[0]
            column = _inside(column, width, padding_mode, align_corners)[0]
        if mode == "nearest":
            y[b, :, i, j] = pixel(b, np.rint(row), np.rint(column))
            continue
        top, left = int(np.floor(row)), int(np.floor(column))
        reach = range(-1, 3) if mode == "bicubic" else range(2)
        weight = cubic if mode == "bicubic" else (lambda distance: 1 - abs(distance))
        for r in reach:
            for c in reach:
                y[b, :, i, j] += weight(row - top - r) * weight(column - left - c) * pixel(b, top + r, left + c)
    return y.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY}
    x = numbers.floats(2, 2, 5, 6)
    grid = (numbers.floats(2, 3, 4, 2) * 0.7).astype(np.float32)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding_mode in ("zeros", "border", "reflection"):
            for align_corners in (0, 1):
                attributes = {"mode": mode, "padding_mode": padding_mode, "align_corners": align_corners}
                yield Case(f"{mode}-{padding_mode}-{align_corners}", inputs=[x, grid], attributes=attributes, opsets=range(9, 27), **tolerance)
    yield Case("default", inputs=[x, grid], opsets=range(9, 27), **tolerance)
    for padding_mode in ("zeros", "border", "reflection"):
        # One pixel, points far outside, no image, and one whose channels are not counted until it runs.
        others = [[numbers.floats(1, 3, 1, 4), grid[:1] * 4], [numbers.floats(2, 1, 7, 1), grid], [x, grid[:, :0]]]
        for align_corners in (0, 1):
            yield Case(f"sizes-{padding_mode}-{align_corners}", inputs=[x, grid], also=others, attributes={"padding_mode": padding_mode, "align_corners": align_corners},
                       opsets=(9, 11, 13, 15), **tolerance)
    yield Case("no-images", inputs=[x, grid], also=[[x[:0], grid[:0]]], opsets=(9, 11, 13, 15), cannot={"openvino": "it loses the sizes of an empty tensor"}, **tolerance)
    halves = [x.astype(np.float16), grid.astype(np.float16)]
    yield Case("float16", inputs=halves, rtol=2e-3, atol=2e-3, why="float16 has eleven bits.", opsets=(9, 11, 13, 15))
    yield Case("float64", inputs=[x.astype(np.float64), grid.astype(np.float64)], opsets=(9, 11, 13, 15), **tolerance)
    not_numbers = np.float32([[[[np.nan, 0.3], [np.inf, 0.3], [0.1, -np.inf], [1e30, -0.3], [-0.45, np.nan]]]])
    openvino = {"openvino": "it makes something else of a point that is no number"}
    for mode, padding_mode, align_corners in itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (0, 1)):
        attributes = {"mode": mode, "padding_mode": padding_mode, "align_corners": align_corners}
        yield Case(f"no-numbers-{mode}-{padding_mode}-{align_corners}", inputs=[x[:1], not_numbers], attributes=attributes, opsets=(9, 15, 17, 26), cannot=openvino, **tolerance)
    infinite = np.where(np.arange(6) % 2 == 0, np.float32(np.inf), x[:1])
    outside = np.float32([[[[-1.6, -1.7], [1.6, 1.7], [-1.6, 0.1], [0.1, 1.8]]]])
    yield Case("infinite-pixels-far-from-the-points", inputs=[infinite, outside], expected=[np.zeros((1, 2, 1, 4), np.float32)], opsets=(9, 11, 13, 15))
