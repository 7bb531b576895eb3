# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::SigmoidGrad: the gradient of the sigmoid function.

Source: scalar_sigmoid_gradient_op of TensorFlow's kernels.
"""
import numpy as np

from definition import Case


def define(y, dy):
    y, dy = np.asarray(y), np.asarray(dy)
    return (dy.astype(np.float64) * y * (1 - y.astype(np.float64))).astype(y.dtype)


def cases():
    y = np.float32([[0, 0.25, 0.5], [0.75, 0.9, 1]])
    dy = np.float32([[1, -2, 3], [0.5, 0, 1e4]])
    why = "it is rounded three times"
    yield Case("float", inputs=[y, dy], rtol=4e-7, why=why)
    yield Case("double", inputs=[y.astype(np.float64), dy.astype(np.float64)], rtol=1e-15, why=why)
    yield Case("half", inputs=[y.astype(np.float16), dy.astype(np.float16)], rtol=2e-3, why=why)
