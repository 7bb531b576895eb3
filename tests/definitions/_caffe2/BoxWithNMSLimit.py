# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::BoxWithNMSLimit: the detections of each class, and the best of an image.

Source: caffe2/operators/box_with_nms_limit_op.cc and .h.
"""
import numpy as np

from definition import Case, definition_of

_overlap = definition_of("ai.onnx", "_suppression").overlap


def define(scores, boxes, batch_splits=None, score_thresh=0.05, nms=0.3, detections_per_im=100, soft_nms_enabled=0, soft_nms_method="linear", soft_nms_sigma=0.5,
           soft_nms_min_score_thres=0.001, rotated=0, cls_agnostic_bbox_reg=0, input_boxes_include_bg_cls=1, output_classes_include_bg_cls=1, legacy_plus_one=1):
    splits = [len(scores)] if batch_splits is None else batch_splits.astype(int)
    out, counts, sizes, start = [], [], [], 0
    for count in splits:
        of_image = []
        for label in range(1, scores.shape[1]):
            column = label if input_boxes_include_bg_cls else label - 1
            first = 0 if cls_agnostic_bbox_reg else 4 * column
            kept = []
            for row in sorted(range(start, start + count), key=lambda row: -scores[row, column]):
                box = boxes[row, first : first + 4]
                if scores[row, column] > np.float32(score_thresh) and all(_overlap(box, other[1], legacy_plus_one) <= nms for other in kept):
                    kept.append((scores[row, column], box, label - (not output_classes_include_bg_cls), row - start, label))
            of_image += kept[:detections_per_im] if detections_per_im > 0 else kept
        if 0 < detections_per_im < len(of_image):
            of_image = sorted(of_image, key=lambda one: -one[0])[:detections_per_im]
            of_image.sort(key=lambda one: one[4])
        out += of_image
        counts.append(len(of_image))
        sizes.append([sum(one[4] == label for one in of_image) for label in range(scores.shape[1])])
        start += count
    column = lambda place, dtype: np.array([one[place] for one in out], dtype)
    return column(0, np.float32), column(1, np.float32).reshape(-1, 4), column(2, np.float32), np.float32(counts), column(3, np.int32), np.int32(sizes)


def cases():
    rng = np.random.default_rng(48)

    def drawn(columns):
        corner = rng.uniform(0, 50, (18, columns // 4, 2))
        boxes = np.concatenate([corner, corner + rng.uniform(1, 30, corner.shape)], -1)
        return [(rng.permutation(18 * 4).reshape(18, 4) / 72).astype(np.float32), boxes.reshape(18, -1).astype(np.float32), np.float32([7, 0, 11])]

    fields = {"opsets": range(11, 27), "shapes": [("n", 4), ("n", 16), ("b",)], "output_shapes": [("m",), ("m", 4), ("m",), ("b",), ("m",), ("b", 4)]}
    shared = {**fields, "shapes": [("n", 4), ("n", 4), ("b",)]}
    some = {**fields, "shapes": [("n", 4), ("n", 12), ("b",)]}
    detectron = {"score_thresh": 0.2, "nms": 0.4, "detections_per_im": 9, "soft_nms_enabled": 0, "soft_nms_method": "linear", "soft_nms_sigma": 0.5, "soft_nms_min_score_thres": 0.001,
                 "rotated": 0, "cls_agnostic_bbox_reg": 0, "input_boxes_include_bg_cls": 0, "output_classes_include_bg_cls": 0, "legacy_plus_one": 0}
    for number in range(4):
        yield Case(f"detectron2-{number}", inputs=drawn(12), attributes=detectron, **some)
    yield Case("agnostic", inputs=drawn(4), attributes={**detectron, "cls_agnostic_bbox_reg": 1}, **shared)
    yield Case("default", inputs=drawn(16), **fields)
    yield Case("unlimited", inputs=drawn(16), attributes={"detections_per_im": 0, "nms": 0.5, "output_classes_include_bg_cls": 0}, **fields)
    yield Case("none", inputs=drawn(12), attributes={**detectron, "score_thresh": 2.0}, **some)
    yield Case("soft", inputs=drawn(16), attributes={"soft_nms_enabled": 1}, refuse="its suppression is a soft one", **{key: fields[key] for key in ("opsets", "shapes")})
