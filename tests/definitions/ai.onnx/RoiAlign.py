# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx RoiAlign: averages over the parts of regions, or the greatest values there.

Source: the ONNX specification, RoiAlign-10 and RoiAlign-16, and ONNX Runtime's kernel, whose greatest value is that of the four neighbours of a sample, each with its weight.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def neighbours(image, row, column):
    """The four pixels around a place, each with its weight."""
    height, width = image.shape[1:]
    if row < -1 or row > height or column < -1 or column > width:
        return np.zeros((4, image.shape[0]))
    row, column = min(max(row, 0.0), height - 1), min(max(column, 0.0), width - 1)
    r, c = int(row), int(column)
    dr, dc = row - r, column - c
    below, beside = min(r + 1, height - 1), min(c + 1, width - 1)
    return np.array([image[:, r, c] * (1 - dr) * (1 - dc), image[:, r, beside] * (1 - dr) * dc, image[:, below, c] * dr * (1 - dc), image[:, below, beside] * dr * dc])


def define(x, rois, batches, coordinate_transformation_mode="half_pixel", mode="avg", output_height=1, output_width=1, sampling_ratio=0, spatial_scale=1.0):
    y = np.zeros((len(rois), x.shape[1], output_height, output_width))
    half_pixel = coordinate_transformation_mode == "half_pixel"
    for region, corners in enumerate(rois.astype(np.float64)):
        left, top, right, bottom = (corner * spatial_scale - 0.5 * half_pixel for corner in corners)
        width, height = (right - left, bottom - top) if half_pixel else (max(right - left, 1.0), max(bottom - top, 1.0))
        rows = sampling_ratio or int(np.ceil(height / output_height))
        columns = sampling_ratio or int(np.ceil(width / output_width))
        image = x[batches[region]].astype(np.float64)
        for i, j in np.ndindex(output_height, output_width):
            values = [neighbours(image, top + (i + (r + 0.5) / rows) * height / output_height, left + (j + (c + 0.5) / columns) * width / output_width)
                      for r, c in np.ndindex(max(rows, 0), max(columns, 0))]
            if values:
                y[region, :, i, j] = np.max(values, axis=(0, 1)) if mode == "max" else np.sum(values, axis=(0, 1)) / len(values)
    return y.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 12, 14)
    # Beyond the image on both sides, of one pixel, of less than one, and turned round.
    rois = np.float32([[1.5, 2.0, 20.0, 18.5], [0.0, 0.0, 27.0, 23.0], [5.0, 6.0, 5.5, 6.25], [-8, -9, 60, 50], [9, 9, 4, 2]])
    batches = np.int64([0, 1, 1, 0, 1])
    near = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "shapes": [("b", "c", "h", "w"), ("n", 4), ("n",)]}
    sizes = {"output_height": 3, "output_width": 4, "spatial_scale": 0.5}
    no_regions = [[x, rois[:0], batches[:0]]]
    for ratio in (0, 2):
        usual = {**sizes, "sampling_ratio": ratio}
        yield Case(f"new-coordinates-{ratio}", inputs=[x, rois, batches], attributes={**usual, "coordinate_transformation_mode": "half_pixel"},
                   written_for=16, opsets=range(11, 16), also=no_regions, **near)
        for coordinates in ("half_pixel", "output_half_pixel"):
            yield Case(f"greatest-{coordinates}-{ratio}", inputs=[x, rois, batches], attributes={**usual, "mode": "max", "coordinate_transformation_mode": coordinates},
                       options=["--target", "openvino"], opsets=(16, 20, 22, 26), also=no_regions, **near)
    yield Case("double", inputs=[np.float64(x), np.float64(rois), batches], attributes={**sizes, "sampling_ratio": 2, "mode": "max"}, options=["--target", "openvino"],
               opsets=(16, 22), **near)
    # Of an older version, whose nodes do not say where regions begin; the rule is asked since the runtime takes no greatest values.
    yield Case("greatest-older", inputs=[x, rois, batches], attributes={**sizes, "mode": "max", "coordinate_transformation_mode": "output_half_pixel"},
               options=["--target", "openvino", "--target-opset", "13"], opsets=(16, 22), **near)
