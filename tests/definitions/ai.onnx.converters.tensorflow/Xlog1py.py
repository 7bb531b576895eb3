# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::Xlog1py: x * log(1 + y), but 0 where x is 0.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x, y):
    return np.where(x == 0, 0, x * np.log1p(y)).astype(x.dtype)


def cases():
    x = np.float32([[0, 0, 0, 0], [1.5, -2, 0.25, 3]])
    y = np.float32([[2, 0, np.nan, np.inf], [2, 0.5, 0.125, 7]])
    near = {"rtol": 1e-6, "atol": 1e-7, "why": "the last bit of a logarithm"}
    yield Case("float", inputs=[x, y], **near)
    yield Case("small", inputs=[x, np.float32(1e-6)], **near)
