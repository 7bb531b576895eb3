# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Caffe2's proposals of the levels of a feature pyramid. Source: collect_and_distribute_fpn_rpn_proposals_op.cc."""
import numpy as np


def collected(values, rpn_min_level=2, rpn_max_level=6, rpn_post_nms_topN=2000):
    levels = rpn_max_level - rpn_min_level + 1
    rois, probabilities = np.concatenate(values[:levels]), np.concatenate([np.ravel(value) for value in values[levels:]])
    order = np.argsort(-probabilities, kind="stable")
    return rois[order[:rpn_post_nms_topN]] if rpn_post_nms_topN > 0 else rois[order]


def distributed(rois, roi_min_level=2, roi_max_level=5, roi_canonical_scale=224, roi_canonical_level=4, legacy_plus_one=1):
    x1, y1, x2, y2 = rois[:, -4:].astype(np.float64).T
    size = np.sqrt((x2 - x1 + legacy_plus_one) * (y2 - y1 + legacy_plus_one))
    level = np.clip(np.floor(roi_canonical_level + np.log2(size / roi_canonical_scale + 1e-6)), roi_min_level, roi_max_level)
    rows = [np.flatnonzero(level == each) for each in range(roi_min_level, roi_max_level + 1)]
    return (*(rois[these] for these in rows), np.argsort(np.concatenate(rows)).astype(np.int32))


def drawn(rng, count):
    corners = rng.uniform(0, 800, (count, 2, 2)) * rng.uniform(0.02, 1, (count, 1, 1))
    return np.concatenate([rng.integers(0, 2, (count, 1)), corners.min(1), corners.max(1)], 1).astype(np.float32)
