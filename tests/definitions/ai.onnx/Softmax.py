# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Softmax: exponentials divided by their sum.

Source: ONNX Softmax-11, Softmax-13.
"""
import numpy as np

from definition import definition_of

softmax = definition_of("ai.onnx", "_softmax")


def along(x, axis):
    weights = np.exp(x - np.max(x, axis, keepdims=True))
    return weights / np.sum(weights, axis, keepdims=True)


define, several_axes = softmax.definitions(along)


def cases():
    return softmax.cases_of(define, several_axes, {"rtol": 3e-6, "atol": 1e-7, "why": softmax.WHY})
