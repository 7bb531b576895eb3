# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::TRTBatchedRotatedNMS: non-maximum suppression of rotated boxes per class; boxes with their scores, and labels that are -1 behind the last.

Source: mmdeploy's TensorRT plugins TRTBatchedRotatedNMS and TRTBatchedBEVNMS (trt_batched_rotated_nms.cpp, trt_batched_bev_nms.cpp, allClassRotatedNMS.cu, gatherNMSOutputs.cu). A box without area overlaps all others.
"""
import numpy as np

from definition import Case, definition_of

_rotated = definition_of("mmdeploy", "_rotated")


def define(boxes, scores, *, iou_threshold, score_threshold, topk, keep_topk, background_label_id=-1, num_classes=0, is_normalized=1, clip_boxes=0, return_index=0):
    images, _, classes = scores.shape
    dets, labels = np.zeros((images, keep_topk, 6), np.float32), np.full((images, keep_topk), -1, np.int32)
    numbers = labels.copy()
    for image in range(images):
        found = []
        for label in range(classes):
            if label == background_label_id:
                continue
            every = boxes[image, :, label if boxes.shape[2] > 1 else 0]
            best = sorted(np.flatnonzero(scores[image, :, label] > np.float32(score_threshold)), key=lambda box: -scores[image, box, label])[:topk]
            for kept in _rotated.remaining(every[best], scores[image, best, label], iou_threshold, of_flat=1.0):
                found.append((-scores[image, best[kept], label], label, best[kept], every[best[kept]]))
        for place, (minus_score, label, number, box) in enumerate(sorted(found, key=lambda one: one[0])[:keep_topk]):
            dets[image, place], labels[image, place] = [*(np.clip(box, 0, 1) if clip_boxes else box), -minus_score], label
            numbers[image, place] = number
    return (dets, labels, numbers) if return_index else (dets, labels)


def cases():
    rng = np.random.default_rng(45)
    newer = {"opsets": range(11, 27), "shapes": "static"}
    attributes = {"iou_threshold": 0.3, "score_threshold": 0.2, "topk": 10, "keep_topk": 12, "num_classes": 3, "background_label_id": -1, "is_normalized": 0, "clip_boxes": 0}
    scores = _rotated.scores(rng, 2, 24, 3)
    shared = _rotated.scene(rng, 2, 24, 1)
    yield Case("shared", inputs=[shared, scores], attributes=attributes, **newer)
    yield Case("dynamic", inputs=[shared, scores], attributes=attributes, **{**newer, "shapes": [("b", "n", 1, 5), ("b", "n", "c")]})
    yield Case("bev", op_type="TRTBatchedBEVNMS", inputs=[shared, scores], attributes={**attributes, "return_index": 1}, **newer)
    yield Case("of-classes", inputs=[_rotated.scene(rng, 2, 24, 3), scores], attributes=attributes, **newer)
    yield Case("background", inputs=[shared, scores], attributes={**attributes, "background_label_id": 1, "keep_topk": 40, "topk": 24}, **newer)
    yield Case("clipped", inputs=[shared / np.float32(60), scores], attributes={**attributes, "clip_boxes": 1}, **newer)
    flat = shared.copy()
    flat[:, 3, :, 2] = 0
    yield Case("without-area", inputs=[flat, scores], attributes=attributes, **newer)
