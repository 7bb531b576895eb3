# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""BatchedNMSDynamic_TRT: non-maximum suppression per class with a fixed number of detections per image, as TensorRT's plugin gives it.

Source: TensorRT's batchedNMSPlugin.
"""
import numpy as np

from definition import Case, definition_of

_suppression = definition_of("ai.onnx", "_suppression")


def define(boxes, scores, *, iouThreshold, scoreThreshold, topK, keepTopK, numClasses=0, backgroundLabelId=-1, shareLocation=1, isNormalized=1,
           clipBoxes=1, plugin_version="1"):
    images, count, classes = scores.shape
    every = _suppression.boxes_of_classes(boxes, classes)
    found = []
    for image in range(images):
        detections = []
        for label in range(classes):
            if label == backgroundLabelId:
                continue
            candidates = sorted((-float(scores[image, box, label]), box) for box in range(count) if scores[image, box, label] > scoreThreshold)
            kept = []
            for score, box in candidates[:topK]:
                own = every[image, box, label]
                if all(_suppression.overlap(own, every[image, other, label], 1 - isNormalized) <= iouThreshold for _, other in kept):
                    kept.append((score, box))
            detections += [(score, box, label) for score, box in kept]
        found.append([(-score, box, label) for score, box, label in sorted(detections)[:keepTopK]])
    count, boxes, scores, classes = _suppression.filled(found, keepTopK, every, boxes.dtype, boxes.dtype, -1)
    return count, np.clip(boxes, 0, 1) if clipBoxes else boxes, scores, classes


def cases():
    scene = _suppression.Scene(1)
    boxes, scores = scene.boxes(2, 20, 1), scene.scores(2, 20, 3)
    newer = {"opsets": range(11, 27), "shapes": [("b", "n", 1, 4), ("b", "n", "c")]}  # ScatterND and GatherElements are as old as opset 11
    usual = {"iouThreshold": 0.4, "scoreThreshold": 0.3, "topK": 8, "keepTopK": 12, "clipBoxes": 0, "isNormalized": 0}
    written = {"numClasses": 3, "backgroundLabelId": -1, "shareLocation": 1, "plugin_version": "1"}
    yield Case("usual", inputs=[boxes, scores], attributes={**usual, **written}, **{**newer, "shapes": "static"})
    yield Case("symbolic", inputs=[boxes, scores], attributes={**usual, **written}, **newer)
    yield Case("background", inputs=[boxes, scores], attributes={**usual, "backgroundLabelId": 1}, **newer)
    yield Case("boxes-of-classes", inputs=[scene.boxes(2, 20, 3), scores], attributes={**usual, "shareLocation": 0},
               **{**newer, "shapes": [("b", "n", "c", 4), ("b", "n", "c")]})
    small = {**usual, "isNormalized": 1, "clipBoxes": 1}
    yield Case("clipped", inputs=[scene.boxes(2, 20, 1, scale=0.8), scores], attributes=small, **newer)
    yield Case("few", inputs=[boxes[:, :3], scores[:, :3]], attributes={**usual, "scoreThreshold": 0.0}, **newer)
    yield Case("incomplete", inputs=[boxes, scores], attributes={"topK": 8}, refuse="attributes 'iouThreshold', 'keepTopK', 'scoreThreshold' are missing")
