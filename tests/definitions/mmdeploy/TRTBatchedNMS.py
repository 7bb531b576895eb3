# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::TRTBatchedNMS: non-maximum suppression per class; boxes with their scores, and labels that are -1 behind the last detection.

Source: mmdeploy's TensorRT plugin of that name.
"""
import numpy as np

from definition import Case, definition_of

_suppression = definition_of("ai.onnx", "_suppression")
batched = definition_of("ai.onnx", "BatchedNMSDynamic_TRT").define


def define(boxes, scores, *, iou_threshold, score_threshold, topk, keep_topk, background_label_id=-1, num_classes=0, is_normalized=1):
    _, found, values, labels = batched(boxes, scores, iouThreshold=iou_threshold, scoreThreshold=score_threshold, topK=topk, keepTopK=keep_topk,
                                       backgroundLabelId=background_label_id, clipBoxes=0)
    return np.concatenate([found, values[..., None]], -1), labels.astype(np.int32)


def cases():
    scene = _suppression.Scene(2)
    newer = {"opsets": range(11, 27)}
    attributes = {"iou_threshold": 0.4, "score_threshold": 0.3, "topk": 8, "keep_topk": 12, "num_classes": 3, "background_label_id": -1}
    scores = scene.scores(2, 20, 3)
    yield Case("shared", inputs=[scene.boxes(2, 20, 1), scores], attributes=attributes, shapes="static", **newer)
    yield Case("of-classes", inputs=[scene.boxes(2, 20, 3), scores], attributes={**attributes, "is_normalized": 0}, shapes="static", **newer)
