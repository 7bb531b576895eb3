# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::CollectAndDistributeFpnRpnProposals: the best proposals of all levels, and those of each level.

Source: caffe2/operators/collect_and_distribute_fpn_rpn_proposals_op.cc.
"""
import numpy as np

from definition import Case, definition_of

_proposals = definition_of("_caffe2", "_proposals")


def define(*values, rpn_min_level=2, rpn_max_level=6, rpn_post_nms_topN=2000, **attributes):
    rois = _proposals.collected(values, rpn_min_level, rpn_max_level, rpn_post_nms_topN)
    return (rois, *_proposals.distributed(rois, **attributes))


def cases():
    rng = np.random.default_rng(47)
    rois = [_proposals.drawn(rng, count) for count in (7, 5, 3, 2, 1)]
    order = (rng.permutation(18) / 18).astype(np.float32)
    probabilities = np.split(order, np.cumsum([7, 5, 3, 2]))
    inputs = [*rois, *probabilities]
    shapes = [(f"n{level}", 5) for level in range(5)] + [(f"n{level}",) for level in range(5)]
    # TopK has its smallest numbers, and any number of them, since opset 11.
    fields = {"opsets": range(11, 27), "shapes": shapes, "output_shapes": [("m", 5), *((f"m{level}", 5) for level in range(4)), ("m",)]}
    yield Case("usual", inputs=inputs, attributes={"rpn_post_nms_topN": 12}, **fields)
    yield Case("levels", inputs=inputs, attributes={"rpn_post_nms_topN": 12, "legacy_plus_one": 0, "roi_canonical_scale": 112, "roi_canonical_level": 3}, **fields)
