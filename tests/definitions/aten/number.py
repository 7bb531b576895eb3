# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::number: the one number of a tensor of whatever rank.

Source: c10::Scalar.
"""
import numpy as np

from definition import Case


def define(x):
    return x.reshape(())


def cases():
    for rank in range(4):
        yield Case(f"rank-{rank}", inputs=[np.full((1,) * rank, 2.5, np.float32)], shapes="static", opsets=(9, 13, 26))
    yield Case("unranked", inputs=[np.int64([7])], shapes="unranked", opsets=(9, 13, 26))
