# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torchvision::nms: the boxes that no better one overlaps.

Source: torchvision's kernel.
"""
import numpy as np

from definition import Case


def _overlap(a, b):
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common)


def define(boxes, scores, iou_threshold):
    kept = []
    for number in np.argsort(-scores, kind="stable"):
        if all(_overlap(boxes[number], boxes[other]) <= iou_threshold for other in kept):
            kept.append(number)
    return np.array(kept, np.int64)


def cases():
    numbers = np.random.default_rng(8)
    corners = numbers.random((20, 2)) * 8
    boxes = np.concatenate([corners, corners + 1 + numbers.random((20, 2)) * 4], axis=1).astype(np.float32)
    scores = numbers.permutation(20).astype(np.float32) / 20
    common = {"opsets": range(10, 27), "output_shapes": [("kept",)]}
    for limit in (0.25, 0.5):
        yield Case(f"input-{limit}", inputs=[boxes, scores, np.float32(limit)], constants=[2], **common)
    yield Case("double", inputs=[boxes, scores, np.float64(0.5)], **common)
    yield Case("attribute", inputs=[boxes, scores], attributes={"iou_threshold": 0.25}, **common)
