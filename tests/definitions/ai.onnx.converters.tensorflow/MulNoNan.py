# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::MulNoNan: x * y, but 0 where y is 0.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x, y):
    return np.where(y == 0, 0, x * y).astype(x.dtype)


def cases():
    x = np.float32([[0, 0, 0, 0], [1.5, -2, 0.25, 3]])
    y = np.float32([[2, 0, np.nan, np.inf], [2, 0.5, 0.125, 7]])
    yield Case("float", inputs=[y, x])
    yield Case("double", inputs=[np.float64(y), np.float64(x)], opsets=[13, 18])
