# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::NMSRotated: image, class and number of the boxes that remain, by images, then classes, then scores.

Source: mmdeploy's nms_rotated.cpp for ONNX Runtime, and mmdeploy/mmcv/ops/nms_rotated.py.
"""
import numpy as np

from definition import Case, definition_of

_rotated = definition_of("mmdeploy", "_rotated")


def define(boxes, scores, *, iou_threshold, score_threshold):
    found = [(image, label, box)
             for image in range(scores.shape[0])
             for label in range(scores.shape[1])
             for box in _rotated.remaining(boxes[image], scores[image, label], iou_threshold)
             if scores[image, label, box] > np.float32(score_threshold)]
    return np.array(found, np.int64).reshape(-1, 3)


def cases():
    rng = np.random.default_rng(44)
    fields = {"shapes": [("b", "n", 5), ("b", "c", "n")], "output_shapes": [("m", 3)], "opsets": range(11, 27)}
    usual = {"iou_threshold": 0.3, "score_threshold": 0.2}
    boxes, scores = _rotated.scene(rng, 2, 24), _rotated.scores(rng, 2, 3, 24)
    yield Case("usual", inputs=[boxes, scores], attributes=usual, also=[[boxes[:1, :3], scores[:1, :, :3]]], **fields)
    yield Case("default-domain", domain="ai.onnx", inputs=[boxes, scores], attributes=usual, **fields)
    for number in range(6):
        boxes, scores = _rotated.scene(rng, 1, 40, spread=20.0 * (1 + number)), _rotated.scores(rng, 1, 2, 40)
        yield Case(f"drawn-{number}", inputs=[boxes, scores], attributes={"iou_threshold": 0.1 * (1 + number), "score_threshold": 0.05}, **{**fields, "opsets": (11, 18, 26)})
    # More candidates than a block of rows has, so that there are several blocks.
    many = _rotated.scene(rng, 1, 300, spread=600.0)
    yield Case("several-blocks", inputs=[many, _rotated.scores(rng, 1, 1, 300)], attributes={"iou_threshold": 0.2, "score_threshold": 0.0}, **{**fields, "opsets": (13,)})
    # Boxes that are equal, that share edges, that lie in one another, turned by right angles; and one without area.
    special = np.float32([[10, 10, 8, 4, 0], [10, 10, 8, 4, 0], [10, 10, 4, 8, np.pi / 2], [18, 10, 8, 4, 0], [10, 12, 8, 8, 0], [10, 10, 2, 2, 0.7], [10, 10, 0, 4, 0.7], [10, 10, 8, 4, np.pi]])
    order = np.linspace(1, 0.2, len(special), dtype=np.float32)[None, None]
    yield Case("special", inputs=[special[None], order], attributes={"iou_threshold": 0.3, "score_threshold": 0.1}, **fields)
    yield Case("keeps-equal", inputs=[special[None], order], attributes={"iou_threshold": 0.9, "score_threshold": 0.1}, **fields)
    yield Case("none", inputs=[special[None], order], attributes={"iou_threshold": 0.3, "score_threshold": 2.0}, **fields)
    yield Case("incomplete", inputs=[special[None], order], attributes={"iou_threshold": 0.3}, refuse="--set mmdeploy::NMSRotated.score_threshold")
