# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::MatrixDiagPart: the diagonals of matrices.

Source: the documentation of tf.linalg.diag_part and TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(input):
    return np.stack([input[..., i, i] for i in range(min(input.shape[-2:]))], -1)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("wide", inputs=[x], also=[[x.reshape(2, 4, 3)]])
    yield Case("square", inputs=[np.int64([[1, 2], [3, 4]])])
    yield Case("tall", inputs=[x.reshape(1, 2, 6, 2).astype(np.float64)], shapes="static")
