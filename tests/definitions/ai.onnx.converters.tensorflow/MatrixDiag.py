# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::MatrixDiag: matrices with given diagonals.

Source: the documentation of tf.linalg.diag and TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(diagonal):
    output = np.zeros((*diagonal.shape, diagonal.shape[-1]), diagonal.dtype)
    for place in np.ndindex(diagonal.shape):
        output[(*place, place[-1])] = diagonal[place]
    return output


def cases():
    x = np.float32([[1, np.nan, -3], [np.inf, 0, 2]])
    yield Case("batch", inputs=[x], also=[[np.zeros((1, 0), np.float32)]])
    yield Case("vector", inputs=[np.int32([4, 5])])
    yield Case("int64-3", inputs=[np.arange(12, dtype=np.int64).reshape(2, 3, 2)], shapes="static")
    yield Case("bool", inputs=[np.array([True, False])])
    yield Case("double", inputs=[x.astype(np.float64)], shapes="unranked", opsets=range(11, 27), output_shapes=[("a", "b", "c")])
