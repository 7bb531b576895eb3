# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::HSVToRGB: the colours of hue, saturation and value.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def _of(hue, saturation, value):
    pure = [abs(hue * 6 - 3) - 1, 2 - abs(hue * 6 - 2), 2 - abs(hue * 6 - 4)]
    return [value * (1 - saturation + saturation * min(max(part, 0), 1)) for part in pure]


def define(images):
    return np.array([_of(*colour) for colour in images.reshape(-1, 3).astype(np.float64)]).reshape(images.shape).astype(images.dtype)


def cases():
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "products in float"}
    yield Case("image", inputs=[np.random.default_rng(2).random((2, 3, 4, 3)).astype(np.float32)], **near)
    yield Case("double", inputs=[np.float64([[0.5, 0.25, 0.5]])], opsets=[13, 18], **near)
