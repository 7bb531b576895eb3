# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::DistributeFpnProposals: the proposals of each level.

Source: caffe2/operators/collect_and_distribute_fpn_rpn_proposals_op.cc.
"""
import numpy as np

from definition import Case, definition_of

_proposals = definition_of("_caffe2", "_proposals")


def define(rois, **attributes):
    return _proposals.distributed(rois, **attributes)


def cases():
    rng = np.random.default_rng(47)
    # TopK has its smallest numbers, and any number of them, since opset 11.
    fields = {"opsets": range(11, 27), "shapes": [("n", 5)], "output_shapes": [*((f"m{level}", 5) for level in range(4)), ("n",)]}
    usual = {"legacy_plus_one": 0, "roi_canonical_level": 4, "roi_canonical_scale": 224, "roi_max_level": 5, "roi_min_level": 2}
    for number in range(4):
        yield Case(f"detectron2-{number}", inputs=[_proposals.drawn(rng, 30)], attributes=usual, also=[[_proposals.drawn(rng, 0)]], **fields)
    yield Case("default", inputs=[_proposals.drawn(rng, 30)], **fields)
    yield Case("without-image", inputs=[_proposals.drawn(rng, 30)[:, 1:]], attributes=usual, opsets=range(11, 27), shapes=[("n", 4)], output_shapes=[*((f"m{level}", 4) for level in range(4)), ("n",)])
