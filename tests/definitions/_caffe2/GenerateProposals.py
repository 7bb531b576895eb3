# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::GenerateProposals: the proposals of a region proposal network.

Source: caffe2/operators/generate_proposals_op.cc, generate_proposals_op_util_boxes.h and generate_proposals_op_util_nms.h.
"""
import numpy as np

from definition import Case, definition_of

_overlap = definition_of("ai.onnx", "_suppression").overlap


def define(scores, bbox_deltas, im_info, anchors, spatial_scale=1 / 16, pre_nms_topN=6000, post_nms_topN=300, nms_thresh=0.7, min_size=16.0, angle_bound_on=1,
           angle_bound_lo=-90, angle_bound_hi=90, clip_angle_thresh=1.0, legacy_plus_one=1):
    rois, probs = [], []
    images, kinds, height, width = scores.shape
    for image in range(images):
        end_y, end_x, scale = map(float, im_info[image])
        found = []
        for row, column, kind in np.ndindex(height, width, kinds):
            x1, y1, x2, y2 = anchors[kind].astype(np.float64) + np.array([column, row, column, row]) / spatial_scale
            dx, dy, dw, dh = bbox_deltas[image, 4 * kind : 4 * kind + 4, row, column].astype(np.float64)
            w, h = x2 - x1 + legacy_plus_one, y2 - y1 + legacy_plus_one
            centre_x, centre_y = x1 + w / 2 + dx * w, y1 + h / 2 + dy * h
            w, h = w * np.exp(min(dw, np.log(1000 / 16))), h * np.exp(min(dh, np.log(1000 / 16)))
            box = [centre_x - w / 2, centre_y - h / 2, centre_x + w / 2 - legacy_plus_one, centre_y + h / 2 - legacy_plus_one]
            box = np.clip(box, 0, [int(end_x) - legacy_plus_one, int(end_y) - legacy_plus_one] * 2)
            found.append((scores[image, kind, row, column], box))
        found.sort(key=lambda one: -one[0])
        if pre_nms_topN > 0:
            found = found[:pre_nms_topN]
        kept = []
        for score, box in found:
            w, h = box[2] - box[0] + legacy_plus_one, box[3] - box[1] + legacy_plus_one
            if w < min_size * scale or h < min_size * scale or box[0] + w / 2 >= end_x or box[1] + h / 2 >= end_y:
                continue
            if post_nms_topN > 0 and len(kept) == post_nms_topN:
                break
            if all(_overlap(box, other, legacy_plus_one) <= nms_thresh for _, other in kept):
                kept.append((score, box))
        rois += [[image, *box] for _, box in kept]
        probs += [score for score, _ in kept]
    return np.array(rois, np.float32).reshape(-1, 5), np.array(probs, np.float32)


def cases():
    rng = np.random.default_rng(46)
    fields = {"rtol": 1e-4, "atol": 1e-4, "why": "exp and a few sums in float, of boxes of some dozens of pixels", "output_shapes": [("n", 5), ("n",)], "opsets": range(11, 27)}
    anchors = np.float32([[-10, -6, 10, 6], [-7, -7, 7, 7], [-4, -9, 4, 9]])
    detectron = {"spatial_scale": 0.125, "pre_nms_topN": 30, "post_nms_topN": 12, "nms_thresh": 0.5, "min_size": 0.0, "angle_bound_on": 1, "angle_bound_lo": -180,
                 "angle_bound_hi": 180, "clip_angle_thresh": 1.0, "legacy_plus_one": 0}
    info = np.float32([[40.75, 48, 1.5], [36, 41, 0.75]])

    def drawn():
        return [(rng.permutation(2 * 3 * 5 * 6).reshape(2, 3, 5, 6) / 180).astype(np.float32), rng.normal(0, 0.4, (2, 12, 5, 6)).astype(np.float32), info, anchors]

    dynamic = [("b", 3, "h", "w"), ("b", 12, "h", "w"), ("b", 3), (3, 4)]
    for number in range(4):
        yield Case(f"detectron2-{number}", inputs=drawn(), attributes=detectron, shapes=dynamic, **fields)
    scores, deltas, _, _ = drawn()
    yield Case("one-image", inputs=[scores[:1], deltas[:1], info[:1], anchors], attributes=detectron, shapes="static", **fields)
    yield Case("plus-one", inputs=drawn(), attributes={**detectron, "legacy_plus_one": 1, "min_size": 5.0}, shapes=dynamic, **fields)
    yield Case("all", inputs=drawn(), attributes={**detectron, "pre_nms_topN": 0, "post_nms_topN": 0, "nms_thresh": 0.7}, shapes=dynamic, **fields)
    yield Case("small", inputs=drawn(), attributes={**detectron, "min_size": 9.0}, shapes=dynamic, **fields)
