# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torchvision::roi_align: averages over the parts of regions (image number, left, top, right, bottom).

Source: torchvision's kernel.
"""
import numpy as np

from definition import Case, definition_of

_regions = definition_of("mmdeploy", "MMCVRoiAlign")
_random = definition_of("com.microsoft", "_random")


def define(x, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    return _regions.define(x, rois, int(pooled_height), int(pooled_width), float(spatial_scale), max(int(sampling_ratio), 0), "avg", int(aligned))


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 12, 14)
    rois = np.float32([[0, 1.5, 2.0, 20.0, 18.5], [1, 0.0, 0.0, 27.0, 23.0], [1, 5.0, 6.0, 5.5, 6.25]])
    near = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}
    for ratio in (-1, 2):
        for aligned in (False, True):
            numbers_of_call = [np.float64(0.5), np.int64(3), np.int64(4), np.int64(ratio), np.bool_(aligned)]
            yield Case(f"inputs-{ratio}-{aligned}", inputs=[x, rois, *numbers_of_call], constants=[2, 3, 4, 5, 6], **near)
    yield Case("attributes", inputs=[x, rois], attributes={"spatial_scale": 0.5, "pooled_height": 3, "pooled_width": 4, "sampling_ratio": -1, "aligned": 1}, **near)
    yield Case("sizes-not-known", inputs=[x, rois, *numbers_of_call], refuse="spatial_scale")
