# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::ROIAlign_TRT: averages over the parts of regions, or the greatest values there.

Source: the README of TensorRT's roiAlignPlugin, which refers to ONNX's RoiAlign.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_standard = definition_of("ai.onnx", "RoiAlign")


def define(x, rois, batches, coordinate_transformation_mode=1, mode=1, plugin_version="1", **sizes):
    return _standard.define(x, rois, batches, ["output_half_pixel", "half_pixel"][coordinate_transformation_mode], ["max", "avg"][mode], **sizes)


def cases():
    x = _random.Numbers().floats(2, 3, 12, 14)
    rois = np.float32([[1.5, 2.0, 20.0, 18.5], [0.0, 0.0, 27.0, 23.0], [5.0, 6.0, 5.5, 6.25]])
    batches = np.int32([0, 1, 1])
    near = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "shapes": [("b", "c", "h", "w"), ("n", 4), ("n",)]}
    sizes = {"output_height": 3, "output_width": 4, "spatial_scale": 0.5, "sampling_ratio": 2, "plugin_version": "1"}
    yield Case("usual", inputs=[x, rois, batches], attributes=sizes, opsets=range(11, 27), **near)
    yield Case("without-shift", inputs=[x, rois, batches], attributes={**sizes, "coordinate_transformation_mode": 0, "mode": 1}, opsets=range(10, 27), **near)
    yield Case("unknown-mode", inputs=[x, rois, batches], attributes={**sizes, "mode": 2}, refuse="mode")
