# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Rotated boxes: their corners, and how much of two of them is common, by cutting one polygon with each edge of the other in double precision."""
import numpy as np


def corners(box):
    x, y, width, height, angle = map(float, box)
    along, across = np.array([np.cos(angle), np.sin(angle)]) * width / 2, np.array([-np.sin(angle), np.cos(angle)]) * height / 2
    centre = np.array([x, y])
    return [centre + along + across, centre - along + across, centre - along - across, centre + along - across]


def area(polygon):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, polygon[1:] + polygon[:1]))) / 2


def common(a, b):
    polygon, cutter = corners(a), corners(b)
    for start, end in zip(cutter, cutter[1:] + cutter[:1]):
        side = lambda point: (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
        kept = []
        for here, there in zip(polygon, polygon[1:] + polygon[:1]):
            if side(here) >= 0:
                kept.append(here)
            if (side(here) >= 0) != (side(there) >= 0):
                kept.append(here + (there - here) * side(here) / (side(here) - side(there)))
        polygon = kept
        if not polygon:
            return 0.0
    return area(polygon)


def overlap(a, b, of_flat=0.0):
    areas = float(a[2]) * float(a[3]), float(b[2]) * float(b[3])
    if min(areas) < 1e-14:
        return of_flat
    shared = common(a, b)
    return shared / (sum(areas) - shared)


def remaining(boxes, scores, iou_threshold, of_flat=0.0):
    """The numbers of the boxes that remain, the best first."""
    kept = []
    for box in sorted(range(len(boxes)), key=lambda box: -scores[box]):
        if all(overlap(boxes[other], boxes[box], of_flat) <= iou_threshold for other in kept):
            kept.append(box)
    return kept


def scene(generator, *shape, spread=60.0):
    centre = generator.random((*shape, 2)) * spread
    size = 4 + generator.random((*shape, 2)) * 30
    return np.concatenate([centre, size, generator.uniform(-4, 4, (*shape, 1))], -1).astype(np.float32)


def scores(generator, *shape):
    """No two are equal."""
    count = int(np.prod(shape))
    return (generator.permutation(count).reshape(shape) / max(count, 1)).astype(np.float32)
