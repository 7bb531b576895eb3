# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::EfficientRotatedNMS_TRT: non-maximum suppression of boxes with an angle, a fixed number of detections per image.

Source: modules/plugin/efficientRotatedNMSPlugin of TensorRT-YOLO 6.4 (efficientRotatedNMSInference.cu and .cuh). Its boxes have their members in the order
y, x, height, width, angle and are read from x, y, width, height, angle; and its overlap is not quite that of the paper it cites.
"""
import numpy as np

from definition import Case, definition_of

_rotated = definition_of("mmdeploy", "_rotated")


def covariance(height, width, angle):
    a, b = width**2 / 12, height**2 / 12
    cos, sin = np.cos(angle), np.sin(angle)
    return a * cos**2 + b * sin**2, a * sin**2 + b * cos**2, (a - b) * cos * sin


def likeness(one, other):
    (y1, x1, *first), (y2, x2, *second) = one, other
    (a1, b1, c1), (a2, b2, c2) = covariance(*first), covariance(*second)
    a, b, c, x, y = a1 + a2, b1 + b2, c1 + c2, x1 - x2, y1 - y2
    extent = max(a * b - c**2, 1e-7)
    extents = max(0.0, a1 * b1 - c1**2) * max(0.0, a2 * b2 - c2**2)
    with np.errstate(divide="ignore"):
        growth = 0.5 * np.log(np.float64(extent) / np.float64(4 * extents)) / extent
    distance = 0.25 * (a * y**2 + b * x**2) / extent + 0.25 * c * x * y / extent + growth
    return 1 - np.sqrt(1 - np.exp(-max(1e-7, min(distance, 100.0))))


def centred(corners):
    low_y, low_x, high_y, high_x, angle = map(float, corners)
    (low_y, high_y), (low_x, high_x) = sorted((low_y, high_y)), sorted((low_x, high_x))
    return (low_y + high_y) / 2, (low_x + high_x) / 2, high_y - low_y, high_x - low_x, angle


def define(boxes, scores, *, score_threshold, iou_threshold, max_output_boxes, background_class=-1, score_activation=0, class_agnostic=0, box_coding=0,
           plugin_version="1"):
    images, count, classes = scores.shape
    every = boxes if boxes.ndim == 4 else boxes[:, :, None]
    if box_coding == 1:
        half = every[..., 2:4] / 2
        every = np.concatenate([every[..., :2] - half, every[..., :2] + half, every[..., 4:]], -1).astype(boxes.dtype)
    every = np.broadcast_to(every, (images, count, classes, 5))
    probabilities = 1 / (1 + np.exp(-scores)) if score_activation else scores
    counts, kinds = np.zeros((images, 1), np.int32), np.zeros((images, max_output_boxes), np.int32)
    found, values = np.zeros((images, max_output_boxes, 5), boxes.dtype), np.zeros((images, max_output_boxes), scores.dtype)
    for image in range(images):
        places = [place for place in np.ndindex(count, classes) if probabilities[(image, *place)] >= np.float32(score_threshold) and place[1] != background_class]
        kept = []
        for place in sorted(places, key=lambda place: -probabilities[(image, *place)]):
            box = centred(every[(image, *place)])
            if len(kept) < max_output_boxes and all(
                not class_agnostic and place[1] != other[1] or likeness(box, centred(every[(image, *other)])) < iou_threshold for other in kept
            ):
                kept.append(place)
        counts[image] = len(kept)
        for row, place in enumerate(kept):
            found[image, row], values[image, row], kinds[image, row] = every[(image, *place)], probabilities[(image, *place)], place[1]
    return counts, found, values, kinds


def cases():
    rng = np.random.default_rng(44)
    boxes, scores = _rotated.scene(rng, 2, 24), _rotated.scores(rng, 2, 24, 3)
    close = {"rtol": 1e-5, "atol": 1e-5, "why": "centres and sizes are rounded"}
    newer = {"opsets": range(11, 27), "shapes": [("b", "n", 5), ("b", "n", "c")], **close}
    few = {**newer, "opsets": (11, 18, 26)}
    usual = {"score_threshold": 0.25, "iou_threshold": 0.45, "max_output_boxes": 10}
    written = {"plugin_version": "1", "background_class": -1, "score_activation": 0, "box_coding": 1, "class_agnostic": 1}
    yield Case("usual", inputs=[boxes, scores], attributes={**usual, **written}, also=[[boxes[:1, :2], scores[:1, :2]]], **newer)
    yield Case("default-domain", domain="ai.onnx", inputs=[boxes, scores], attributes={**usual, **written}, **{**few, "shapes": "static"})
    for number in range(4):
        drawn = [_rotated.scene(rng, 2, 30, spread=20.0 * (1 + number)), _rotated.scores(rng, 2, 30, 2)]
        attributes = {"score_threshold": 0.05, "iou_threshold": 0.15 * (1 + number), "max_output_boxes": 60, "box_coding": 1}
        yield Case(f"drawn-{number}", inputs=drawn, attributes=attributes, **few)
    corner = np.concatenate([boxes[..., :2], boxes[..., :2] + boxes[..., 2:4], boxes[..., 4:]], -1)
    corner[:, ::3, [0, 2]] = corner[:, ::3, [2, 0]]
    yield Case("corners", inputs=[corner, scores], attributes=usual, **few)
    yield Case("background", inputs=[boxes, scores], attributes={**usual, **written, "background_class": 1}, **few)
    yield Case("boxes-of-classes", inputs=[_rotated.scene(rng, 2, 20, 3), scores[:, :20]], attributes={**usual, "box_coding": 1}, **{**few, "shapes": "static"})
    logits = np.log((scores + 1e-3) / (1.002 - scores)).astype(np.float32)
    yield Case("sigmoid", inputs=[boxes, logits], attributes={**usual, **written, "score_activation": 1}, **few)
    small = boxes * np.float32([0.05, 0.05, 0.02, 0.02, 1])
    small[:, :3, 2] = 0
    yield Case("small-and-flat", inputs=[small, scores], attributes={**usual, "box_coding": 1}, **few)
    yield Case("anchors", inputs=[boxes, scores, boxes[:1]], attributes=usual, opsets=(17,), refuse="offsets of anchors")
    yield Case("all", inputs=[boxes, scores], attributes={**usual, "iou_threshold": 0.0}, opsets=(17,), refuse="iou_threshold is not above 0")
