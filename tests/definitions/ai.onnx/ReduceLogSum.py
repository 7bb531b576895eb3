# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ReduceLogSum: the logarithm of the sum along axes.

Source: ONNX ReduceLogSum-11, ReduceLogSum-18.
"""
import numpy as np

from definition import definition_of

reductions = definition_of("ai.onnx", "_reductions")


def reduce(x, axes, keep):
    return np.log(np.sum(x.astype(np.float64), axes, keepdims=keep))


define = reductions.definition(reduce)


def cases():
    return reductions.cases_with(18, reduce, positive=True, noop=False)
