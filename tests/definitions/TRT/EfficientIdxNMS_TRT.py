# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::EfficientIdxNMS_TRT: EfficientNMS_TRT with one more output, which box each detection is.

Source: efficientIdxNMSPlugin of TensorRT-YOLO. A box is counted through all classes where these have boxes of their own, and the remainder of dividing
that by the number of boxes is the index. Behind the detections the plugin leaves what was there, for which zeros stand here.
"""
import numpy as np

from definition import Case, definition_of

_suppression = definition_of("ai.onnx", "_suppression")
_plain = definition_of("ai.onnx", "EfficientNMS_TRT").define


def define(boxes, scores, anchors=None, **attributes):
    counts, found, values, labels = _plain(boxes, scores, anchors, **attributes)
    indices = np.zeros_like(labels)
    for image, place in np.ndindex(*labels.shape):
        if place < counts[image, 0]:
            label = labels[image, place]
            (box,) = np.flatnonzero(scores[image, :, label] == values[image, place])  # no two scores are equal
            own = boxes.ndim == 4 and boxes.shape[2] > 1
            indices[image, place] = (box * scores.shape[2] + label) % scores.shape[1] if own else box
    return counts, found, values, labels, indices


def cases():
    scene = _suppression.Scene(5)
    boxes, scores = scene.boxes(2, 20), scene.scores(2, 20, 3)
    newer = {"opsets": range(11, 27), "shapes": [("b", "n", 4), ("b", "n", "c")]}
    usual = {"score_threshold": 0.25, "iou_threshold": 0.45, "max_output_boxes": 10}
    written = {"plugin_version": "1", "background_class": -1, "score_activation": 0, "box_coding": 0, "class_agnostic": 0}
    yield Case("usual", inputs=[boxes, scores], attributes={**usual, **written}, **newer)
    yield Case("default-domain", domain="ai.onnx", inputs=[boxes, scores], attributes={**usual, **written}, **newer)
    yield Case("agnostic", inputs=[boxes, scores], attributes={**usual, "class_agnostic": 1}, **newer)
    yield Case("many", inputs=[boxes, scores], attributes={**usual, "max_output_boxes": 100}, also=[[boxes[:1, :2], scores[:1, :2]]], **newer)
    yield Case("boxes-of-classes", inputs=[scene.boxes(2, 20, 3), scores], attributes=usual, **{**newer, "shapes": "static"})
