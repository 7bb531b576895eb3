# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ReduceL1: the sum of the magnitudes along axes.

Source: ONNX ReduceL1-11, ReduceL1-18.
"""
import numpy as np

from definition import definition_of

reductions = definition_of("ai.onnx", "_reductions")


def reduce(x, axes, keep):
    return np.sum(np.abs(x.astype(np.float64)), axes, keepdims=keep)


define = reductions.definition(reduce)


def cases():
    return reductions.cases_with(18, reduce, noop=False)
