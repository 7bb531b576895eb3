# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::Cross: the cross product of vectors of three numbers.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(a, b):
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2], a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def cases():
    a = np.arange(12, dtype=np.float32).reshape(2, 2, 3) * 0.5
    b = np.float32([[[1, 0, 2], [-1, 3, 2]], [[0, 0, 1], [4, 5, -6]]])
    yield Case("float", inputs=[a, b])
    yield Case("integers", inputs=[a[0].astype(np.int32), b[0].astype(np.int32)], opsets=[9, 13, 18])
