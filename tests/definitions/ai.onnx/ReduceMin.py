# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ReduceMin: the least element along axes.

Source: ONNX ReduceMin-11, ReduceMin-18.
"""
import numpy as np

from definition import definition_of

reductions = definition_of("ai.onnx", "_reductions")


def reduce(x, axes, keep):
    return np.min(x, axes, keepdims=keep)


define = reductions.definition(reduce)


def cases():
    return reductions.cases_with(18, reduce)
