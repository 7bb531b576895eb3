# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::Bucketize: how many of the boundaries are not above each number.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x, boundaries):
    return np.searchsorted(np.float32(boundaries), x, side="right").astype(np.int32)


def cases():
    x = np.float32([[-1, 0, 0.5, 1], [1.5, 2, 7, np.nan]])
    yield Case("float", inputs=[x], attributes={"boundaries": [0.0, 1.0, 2.0]})
    yield Case("integers", inputs=[np.int32([-1, 0, 1, 5])], attributes={"boundaries": [0.0, 1.0]}, opsets=[9, 13, 18])
    yield Case("scalar", inputs=[np.float32(0.5)], attributes={"boundaries": [0.0, 1.0]}, opsets=[9, 13, 18])
