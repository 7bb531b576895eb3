# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::MMCVRoiAlign: averages over the parts of regions (image number, left, top, right, bottom).

Source: mmcv's RoIAlign.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _sample(image, row, column):
    height, width = image.shape[1:]
    if row < -1 or row > height or column < -1 or column > width:
        return np.zeros(image.shape[0])
    row, column = max(row, 0.0), max(column, 0.0)
    r, c = min(int(row), height - 1), min(int(column), width - 1)
    below, beside = min(r + 1, height - 1), min(c + 1, width - 1)
    dr, dc = (0.0 if r == height - 1 else row - r), (0.0 if c == width - 1 else column - c)
    return (image[:, r, c] * (1 - dr) * (1 - dc) + image[:, r, beside] * (1 - dr) * dc
            + image[:, below, c] * dr * (1 - dc) + image[:, below, beside] * dr * dc)


def define(x, rois, output_height, output_width, spatial_scale, sampling_ratio=0, mode="avg", aligned=1):
    y = np.zeros((len(rois), x.shape[1], output_height, output_width))
    for region, (number, *corners) in enumerate(rois.astype(np.float64)):
        left, top, right, bottom = (corner * spatial_scale - 0.5 * aligned for corner in corners)
        width, height = right - left, bottom - top
        if not aligned:
            width, height = max(width, 1.0), max(height, 1.0)
        rows = sampling_ratio or int(np.ceil(height / output_height))
        columns = sampling_ratio or int(np.ceil(width / output_width))
        image = x[int(number)].astype(np.float64)
        for i, j in np.ndindex(output_height, output_width):
            total = np.zeros(x.shape[1])
            for r, c in np.ndindex(rows, columns):
                total += _sample(image, top + (i + (r + 0.5) / rows) * height / output_height, left + (j + (c + 0.5) / columns) * width / output_width)
            y[region, :, i, j] = total / max(rows * columns, 1)
    return y.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 12, 14)
    rois = np.float32([[0, 1.5, 2.0, 20.0, 18.5], [1, 0.0, 0.0, 27.0, 23.0], [1, 5.0, 6.0, 5.5, 6.25]])
    common = {"opsets": range(16, 22), "rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY}
    newest = {**common, "opsets": range(22, 27), "cannot": {"ort": "it has no RoiAlign of opset 22"}}
    for aligned in (0, 1):
        attributes = {"output_height": 3, "output_width": 4, "spatial_scale": 0.5, "sampling_ratio": 2, "mode": "avg", "aligned": aligned}
        yield Case(f"aligned-{aligned}", inputs=[x, rois], attributes=attributes, shapes=[("b", 3, "h", "w"), ("n", 5)], **common)
        yield Case(f"newest-{aligned}", inputs=[x, rois], attributes=attributes, shapes=[("b", 3, "h", "w"), ("n", 5)], **newest)
    adaptive = {"output_height": 3, "output_width": 4, "spatial_scale": 0.5, "sampling_ratio": 0}
    yield Case("adaptive", inputs=[x, rois], attributes=adaptive, shapes=[("b", 3, "h", "w"), ("n", 5)], **common)
    yield Case("maximum", inputs=[x, rois], attributes={**adaptive, "mode": "max"}, refuse="mode")
