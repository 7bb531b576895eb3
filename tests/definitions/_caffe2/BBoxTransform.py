# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::BBoxTransform: boxes moved and stretched.

Source: caffe2/operators/bbox_transform_op.cc and generate_proposals_op_util_boxes.h.
"""
import numpy as np

from definition import Case


def define(rois, deltas, im_info, weights=(1, 1, 1, 1), apply_scale=1, rotated=0, angle_bound_on=1, angle_bound_lo=-90, angle_bound_hi=90, clip_angle_thresh=1.0, legacy_plus_one=1):
    out, splits = np.zeros_like(deltas), np.zeros(len(im_info), np.float32)
    for number, (roi, row) in enumerate(zip(rois, deltas)):
        image = int(roi[0]) if len(roi) == 5 else 0
        splits[image] += 1
        height, width, scale = im_info[image]
        height, width = int(height / scale + np.float32(0.5)), int(width / scale + np.float32(0.5))
        x1, y1, x2, y2 = (roi[-4:] / scale).astype(np.float64)
        w, h = x2 - x1 + legacy_plus_one, y2 - y1 + legacy_plus_one
        for first in range(0, len(row), 4):
            dx, dy, dw, dh = row[first : first + 4] / np.float64(weights)
            centre_x, centre_y = dx * w + x1 + 0.5 * w, dy * h + y1 + 0.5 * h
            new_w, new_h = np.exp(min(dw, np.log(1000 / 16))) * w, np.exp(min(dh, np.log(1000 / 16))) * h
            box = [centre_x - new_w / 2, centre_y - new_h / 2, centre_x + new_w / 2 - legacy_plus_one, centre_y + new_h / 2 - legacy_plus_one]
            ends = [width - legacy_plus_one, height - legacy_plus_one] * 2
            out[number, first : first + 4] = [max(min(place, end), 0) * (scale if apply_scale else 1) for place, end in zip(box, ends)]
    return out, splits


def cases():
    rng = np.random.default_rng(44)
    corners = rng.uniform(0, 60, (5, 2, 2)).astype(np.float32)
    boxes = np.concatenate([corners.min(1), corners.max(1)], 1)
    deltas = rng.normal(0, 0.5, (5, 8)).astype(np.float32)
    deltas[0, 2] = 9
    one, two = np.float32([[50, 70, 1.5]]), np.float32([[50, 70, 1.5], [40, 41, 0.75]])
    batched = np.concatenate([np.float32([[0], [0], [1], [1], [1]]), boxes], 1)
    fields = {"rtol": 1e-4, "atol": 1e-4, "why": "exp and a few sums in float, of boxes of some dozens of pixels", "shapes": [("n", 4), ("n", 8), (1, 3)], "output_shapes": [("n", 8), (1,)]}
    of_two = {**fields, "shapes": [("n", 5), ("n", 8), ("b", 3)], "output_shapes": [("n", 8), ("b",)]}
    detectron = {"weights": [10.0, 10.0, 5.0, 5.0], "apply_scale": 1, "rotated": 0, "angle_bound_on": 1, "angle_bound_lo": -180, "angle_bound_hi": 180, "clip_angle_thresh": 1.0, "legacy_plus_one": 0}
    yield Case("default", inputs=[boxes, deltas, one], **fields)
    yield Case("detectron2", inputs=[batched, deltas, two], attributes=detectron, also=[[batched[:0], deltas[:0], two]], **of_two)
    yield Case("unscaled", inputs=[batched, deltas, two], attributes={"apply_scale": 0}, **of_two)
    yield Case("only-boxes", inputs=[boxes, deltas, one], attributes=detectron, define=lambda *inputs, **attributes: define(*inputs, **attributes)[0], **{**fields, "output_shapes": [("n", 8)]})
    yield Case("rotated", inputs=[boxes, deltas, one], attributes={"rotated": 1}, refuse="rotated is 1", **{key: fields[key] for key in ("shapes",)})
