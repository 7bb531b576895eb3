# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::EuclideanNorm: the root of the sum of squares along some axes.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x, axes, keep_dims=0, Tidx=3):
    return np.asarray(np.sqrt(np.sum(x.astype(np.float64) ** 2, axis=tuple(np.ravel(axes)), keepdims=bool(keep_dims))), x.dtype)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    near = {"rtol": 1e-6, "why": "the last bit of a root"}
    yield Case("one-axis", inputs=[x, np.int32(1)], attributes={"Tidx": 6, "keep_dims": 0}, constants=[1], **near)
    yield Case("axes", inputs=[x, np.int32([0, -1])], attributes={"Tidx": 6, "keep_dims": 1}, constants=[1], **near)
