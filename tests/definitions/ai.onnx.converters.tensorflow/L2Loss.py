# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::L2Loss: half the sum of squares.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x):
    return np.asarray(np.sum(x.astype(np.float64) ** 2) / 2, x.dtype)


def cases():
    yield Case("matrix", inputs=[np.float32([[1, -2, 3], [0.5, 0, 4]])])
    yield Case("row", inputs=[np.float32([1, 2])], shapes="unranked", opsets=[13, 18])
