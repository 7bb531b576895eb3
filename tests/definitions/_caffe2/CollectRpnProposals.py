# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::CollectRpnProposals: the best proposals of all levels.

Source: caffe2/operators/collect_and_distribute_fpn_rpn_proposals_op.cc.
"""
import numpy as np

from definition import Case, definition_of

_proposals = definition_of("_caffe2", "_proposals")


def define(*values, **attributes):
    return _proposals.collected(values, **attributes)


def cases():
    rng = np.random.default_rng(47)
    rois = [_proposals.drawn(rng, count) for count in (7, 5, 3, 2, 1)]
    order = (rng.permutation(18) / 18).astype(np.float32)
    probabilities = np.split(order, np.cumsum([7, 5, 3, 2]))
    inputs = [*rois, *probabilities]
    shapes = [(f"n{level}", 5) for level in range(5)] + [(f"n{level}",) for level in range(5)]
    # TopK has its smallest numbers, and any number of them, since opset 11.
    fields = {"opsets": range(11, 27), "shapes": shapes, "output_shapes": [("m", 5)]}
    yield Case("all", inputs=inputs, attributes={"rpn_max_level": 6, "rpn_min_level": 2, "rpn_post_nms_topN": 1000}, **fields)
    yield Case("some", inputs=inputs, attributes={"rpn_post_nms_topN": 6}, **fields)
    yield Case("columns", inputs=[*rois[:2], probabilities[0][:, None], probabilities[1][:, None]], attributes={"rpn_max_level": 3, "rpn_post_nms_topN": 0}, opsets=range(11, 27), shapes="static")
    yield Case("levels", inputs=inputs, attributes={"rpn_max_level": 5}, shapes="static", refuse="it has not 8 inputs")
