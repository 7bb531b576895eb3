# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MeanVarianceNormalization: the difference from the mean, divided by the standard deviation.

Source: ONNX MeanVarianceNormalization-9, MeanVarianceNormalization-13; the 1e-9 is that of the function in its schema.
"""
import numpy as np

from definition import Case


def define(x, *, axes=(0, 2, 3)):
    wide = x.astype(np.float64)
    centred = wide - wide.mean(tuple(axes), keepdims=True)
    return (centred / (np.sqrt(np.square(centred).mean(tuple(axes), keepdims=True)) + 1e-9)).astype(x.dtype)


def cases():
    x = np.random.default_rng(40).normal(size=(2, 3, 4, 5)).astype(np.float32)
    # From 9 on it is the node itself.
    near = {"opsets": (7, 8), "written_for": 13, "rtol": 1e-5, "atol": 1e-5, "why": "Means and variances are summed in another order."}
    yield Case("images", inputs=[x], **near)
    yield Case("axes", inputs=[x], attributes={"axes": [1, -1]}, **near)
    yield Case("zeros", inputs=[x * 0], **near)
    far = {"opsets": (7, 8), "written_for": 13, "atol": 2e-3, "why": "A number of 1e4 has 10 bits behind the point."}
    yield Case("far-from-zero", inputs=[x + np.float32(1e4)], **far)
