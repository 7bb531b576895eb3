# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmcv::SoftNonMaxSuppression: the best box of each round, with a score that the overlaps with those before have lessened.

Source: mmcv's soft_nms.cpp for ONNX Runtime.
"""
import numpy as np

from definition import Case, definition_of

_suppression = definition_of("ai.onnx", "_suppression")


def define(boxes, scores, *, iou_threshold, sigma, min_score, method, offset):
    left = {box: float(score) for box, score in enumerate(scores)}
    dets, inds = [], []
    while left:
        best = max(left, key=lambda box: left[box])
        dets.append([*boxes[best], left.pop(best)])
        inds.append(best)
        for box in list(left):
            overlap = _suppression.overlap(boxes[best], boxes[box], offset)
            far = overlap < iou_threshold
            left[box] *= [1.0 if far else 0.0, 1.0 if far else 1 - overlap, np.exp(-overlap * overlap / sigma)][method]
            if left[box] < min_score:
                del left[box]
    return np.array(dets, np.float32).reshape(-1, 5), np.array(inds, np.int64)


def cases():
    scene = _suppression.Scene(49)
    fields = {"rtol": 1e-5, "atol": 1e-6, "why": "scores are products of some rounded factors", "shapes": [("n", 4), ("n",)], "output_shapes": [("m", 5), ("m",)]}
    for method in (0, 1, 2):
        for offset in (0, 1):
            attributes = {"iou_threshold": 0.3, "sigma": 0.5, "min_score": 0.05, "method": method, "offset": offset}
            yield Case(f"method-{method}-{offset}", inputs=[scene.boxes(20), scene.scores(20)], attributes=attributes, also=[[scene.boxes(1), scene.scores(1) + np.float32(0.5)]], **fields)
    yield Case("unknown", inputs=[scene.boxes(20), scene.scores(20)], attributes={**attributes, "method": 3}, refuse="its method is 3", shapes=fields["shapes"])
