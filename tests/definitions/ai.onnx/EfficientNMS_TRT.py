# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""EfficientNMS_TRT: non-maximum suppression with a fixed number of detections per image, as TensorRT's plugin gives it.

Source: TensorRT's efficientNMSPlugin.
"""
import numpy as np

from definition import Case, definition_of

_suppression = definition_of("ai.onnx", "_suppression")


def define(boxes, scores, anchors=None, *, score_threshold, iou_threshold, max_output_boxes, background_class=-1, score_activation=0,
           class_agnostic=0, box_coding=0, plugin_version="1"):
    images, count, classes = scores.shape
    every = _suppression.boxes_of_classes(boxes.astype(np.float32), classes)
    if anchors is not None:
        base = np.broadcast_to(anchors, (images, count, 4))[:, :, None]
        if box_coding == 1:
            every = np.concatenate([every[..., :2] * base[..., 2:] + base[..., :2], np.exp(every[..., 2:]) * base[..., 2:]], -1)
        else:
            every = every + base
    if box_coding == 1:
        half = every[..., 2:] / 2
        every = np.concatenate([every[..., :2] - half, every[..., :2] + half], -1)
    probabilities = 1 / (1 + np.exp(-scores)) if score_activation else scores
    found = []
    for image in range(images):
        candidates = sorted(
            (-float(probabilities[image, box, label]), box, label)
            for box in range(count)
            for label in range(classes)
            if probabilities[image, box, label] >= np.float32(score_threshold) and label != background_class
        )
        kept = []
        for score, box, label in candidates:
            if len(kept) == max_output_boxes:
                break
            if all(
                (not class_agnostic and label != other_label)
                or _suppression.overlap(every[image, box, label], every[image, other, other_label]) < iou_threshold
                for _, other, other_label in kept
            ):
                kept.append((-score, box, label))
        found.append(kept)
    return _suppression.filled(found, max_output_boxes, every, boxes.dtype, np.int32, 0)


def cases():
    scene = _suppression.Scene()
    boxes, scores = scene.boxes(2, 20), scene.scores(2, 20, 3)
    # ScatterND and GatherElements are as old as opset 11.
    newer = {"opsets": range(11, 27), "shapes": [("b", "n", 4), ("b", "n", "c")]}
    usual = {"score_threshold": 0.25, "iou_threshold": 0.45, "max_output_boxes": 10}
    written = {"plugin_version": "1", "background_class": -1, "score_activation": 0, "box_coding": 0}
    yield Case("usual", inputs=[boxes, scores], attributes={**usual, **written}, **newer)
    yield Case("static", inputs=[boxes, scores], attributes={**usual, **written}, **{**newer, "shapes": "static"})
    yield Case("background", inputs=[boxes, scores], attributes={**usual, "background_class": 0}, **newer)
    yield Case("agnostic", inputs=[boxes, scores], attributes={**usual, "class_agnostic": 1}, **newer)
    yield Case("many", inputs=[boxes, scores], attributes={**usual, "max_output_boxes": 100}, also=[[boxes[:1, :2], scores[:1, :2]]], **newer)
    yield Case("none", inputs=[boxes, scores], attributes={**usual, "score_threshold": 2.0}, **newer)
    yield Case("boxes-of-classes", inputs=[scene.boxes(2, 20, 3), scores], attributes=usual, **{**newer, "shapes": "static"})
    yield Case("boxes-of-classes-agnostic", inputs=[scene.boxes(2, 20, 3), scores], attributes={**usual, "class_agnostic": 1},
               **{**newer, "shapes": [("b", "n", "c", 4), ("b", "n", "c")]})
    yield Case("one-box-dimension", inputs=[boxes[:, :, None], scores], attributes=usual, **{**newer, "shapes": "static"})
    logits = np.log((scores + 1e-3) / (1.002 - scores)).astype(np.float32)
    close = {"rtol": 1e-5, "atol": 1e-5, "why": "exponentials are rounded", **newer}
    yield Case("sigmoid", inputs=[boxes, logits], attributes={**usual, "score_activation": 1}, **close)
    centres = np.concatenate([(boxes[..., :2] + boxes[..., 2:]) / 2, boxes[..., 2:] - boxes[..., :2]], -1)
    yield Case("centres", inputs=[centres, scores], attributes={**usual, "box_coding": 1}, **close)
    offsets = scene.generator.standard_normal((2, 20, 4)).astype(np.float32) / 4
    yield Case("anchors", inputs=[offsets, scores, centres[:1]], attributes={**usual, "box_coding": 1}, **{**close, "shapes": "static"})
    yield Case("anchors-corners", inputs=[offsets, scores, boxes[:1]], attributes=usual, **{**close, "shapes": "static"})
    touching = np.float32([[[0, 0, 2, 1], [1, 0, 3, 1], [0, 0, 1, 1]]])
    third = np.float32(1 / 3)
    ties = {"score_threshold": 0.5, "iou_threshold": float(third), "max_output_boxes": 3}
    yield Case("equal-to-threshold", inputs=[touching, np.float32([[[0.75], [0.625], [0.5]]])], attributes=ties,
               define=lambda boxes, scores, **attributes: define(boxes, scores, **{**attributes, "iou_threshold": 1 / 3}), **newer)
    yield Case("no-boxes", inputs=[boxes[:, :0], scores[:, :0]], attributes=usual, cannot={"openvino": "it has no Pad of empty tensors"}, **newer)
    half = [boxes.astype(np.float16), scores.astype(np.float16)]
    yield Case("float16", inputs=half, attributes=usual, rtol=1e-3, atol=1e-3, why="float16 has eleven bits", **newer)
    yield Case("incomplete", inputs=[boxes, scores], attributes={"score_threshold": 0.25}, refuse="--set ai.onnx::EfficientNMS_TRT.iou_threshold")
    yield Case("old", inputs=[boxes, scores], attributes=usual, opsets=[9], refuse="NonMaxSuppression")
