# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Non-maximum suppression, straightforwardly."""
import numpy as np


def overlap(a, b, inclusive=0):
    a, b = a.astype(np.float64), b.astype(np.float64)
    width, height = (min(a[2 + axis], b[2 + axis]) - max(a[axis], b[axis]) + inclusive for axis in (0, 1))
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0] + inclusive) * (box[3] - box[1] + inclusive) for box in (a, b)]
    return width * height / (sum(areas) - width * height)


def boxes_of_classes(boxes, classes):
    """(B, N, 4) or (B, N, 1 or C, 4) to (B, N, C, 4)"""
    if boxes.ndim == 3:
        boxes = boxes[:, :, None]
    return np.repeat(boxes, classes, 2) if boxes.shape[2] == 1 else boxes


def filled(found, count, boxes, dtype, class_dtype, no_class):
    """Lists of (score, box, class) per image, as the plugins' four outputs."""
    images = len(found)
    out_boxes, out_scores = np.zeros((images, count, 4), dtype), np.zeros((images, count), dtype)
    out_classes = np.full((images, count), no_class, class_dtype)
    for image, detections in enumerate(found):
        for place, (score, box, label) in enumerate(detections):
            out_boxes[image, place], out_scores[image, place], out_classes[image, place] = boxes[image, box, label], score, label
    return np.array([[len(detections)] for detections in found], np.int32).reshape(images, 1), out_boxes, out_scores, out_classes


class Scene:
    """Random boxes and scores; no two scores are equal."""

    def __init__(self, seed=0):
        self.generator = np.random.default_rng(seed)

    def boxes(self, *shape, scale=10.0):
        corner = self.generator.random((*shape, 2)) * scale
        return np.concatenate([corner, corner + self.generator.random((*shape, 2)) * 0.6 * scale + 0.1], -1).astype(np.float32)

    def scores(self, *shape):
        count = int(np.prod(shape))
        return (self.generator.permutation(count).reshape(shape) / max(count, 1)).astype(np.float32)
