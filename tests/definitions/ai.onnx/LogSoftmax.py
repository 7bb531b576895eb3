# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::LogSoftmax: the logarithm of Softmax.

Source: ONNX LogSoftmax-11, LogSoftmax-13.
"""
import numpy as np

from definition import definition_of

softmax = definition_of("ai.onnx", "_softmax")


def along(x, axis):
    shifted = x - np.max(x, axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis, keepdims=True))


define, several_axes = softmax.definitions(along)


def cases():
    return softmax.cases_of(define, several_axes, {"rtol": 3e-6, "atol": 1e-6, "why": softmax.WHY})
