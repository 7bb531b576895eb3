# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Hardmax: 1 at the first of the greatest elements and 0 elsewhere.

Source: ONNX Hardmax-11, Hardmax-13.
"""
import numpy as np

from definition import definition_of

softmax = definition_of("ai.onnx", "_softmax")


def along(x, axis):
    result = np.zeros_like(x)
    np.put_along_axis(result, np.expand_dims(np.argmax(x, axis), axis), 1, axis)
    return result


define, several_axes = softmax.definitions(along)


def cases():
    return softmax.cases_of(define, several_axes, {}, dtypes=(np.float32,))
