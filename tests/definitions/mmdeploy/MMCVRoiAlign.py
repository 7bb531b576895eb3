# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::MMCVRoiAlign: averages over the parts of regions (image number, left, top, right, bottom).

Source: mmcv's RoIAlign.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


_regions = definition_of("ai.onnx", "RoiAlign")


def define(x, rois, output_height, output_width, spatial_scale, sampling_ratio=0, mode="avg", aligned=1):
    coordinates = "half_pixel" if aligned else "output_half_pixel"
    return _regions.define(x, rois[:, 1:], rois[:, 0].astype(np.int64), coordinates, mode, output_height, output_width, sampling_ratio, spatial_scale)


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 12, 14)
    rois = np.float32([[0, 1.5, 2.0, 20.0, 18.5], [1, 0.0, 0.0, 27.0, 23.0], [1, 5.0, 6.0, 5.5, 6.25]])
    near = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "shapes": [("b", 3, "h", "w"), ("n", 5)], "opsets": range(11, 27)}
    adaptive = {"output_height": 3, "output_width": 4, "spatial_scale": 0.5, "sampling_ratio": 0}
    for aligned in (0, 1):
        attributes = {**adaptive, "sampling_ratio": 2, "mode": "avg", "aligned": aligned}
        yield Case(f"aligned-{aligned}", inputs=[x, rois], attributes=attributes, **near)
        yield Case(f"adaptive-{aligned}", inputs=[x, rois], attributes={**adaptive, "aligned": aligned}, **near)
    yield Case("before-loops", inputs=[x, rois], attributes={**adaptive, "aligned": 0}, **{**near, "opsets": [10]})
    yield Case("none", inputs=[x, rois[:0]], attributes=adaptive, **near)
    yield Case("maximum", inputs=[x, rois], attributes={**adaptive, "mode": "max"}, refuse="mode")
