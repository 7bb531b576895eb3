# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::Invert: all bits turned round.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x):
    return np.invert(x)


def cases():
    for dtype in (np.int32, np.int64, np.uint8):
        yield Case(np.dtype(dtype).name, inputs=[np.array([0, 1, 5, 100], dtype)])
