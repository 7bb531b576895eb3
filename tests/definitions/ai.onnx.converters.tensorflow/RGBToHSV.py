# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::RGBToHSV: hue, saturation and value of colours.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def _of(red, green, blue):
    value, least = max(red, green, blue), min(red, green, blue)
    spread = value - least
    if spread <= 0:
        return 0.0, 0.0, value
    if red == value:
        hue = (green - blue) / spread / 6
    elif green == value:
        hue = (blue - red) / spread / 6 + 2 / 6
    else:
        hue = (red - green) / spread / 6 + 4 / 6
    return hue + (hue < 0), spread / value, value


def define(images):
    return np.array([_of(*colour) for colour in images.reshape(-1, 3).astype(np.float64)]).reshape(images.shape).astype(images.dtype)


def cases():
    image = np.random.default_rng(2).random((2, 3, 4, 3)).astype(np.float32)
    image[0, 0] = [[0, 0, 0], [0.5, 0.5, 0.5], [0.5, 0.5, 0.25], [0.25, 0.5, 0.5]]
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "quotients in float"}
    yield Case("image", inputs=[image], **near)
    yield Case("colour", inputs=[np.float32([0.5, 0.25, 0.5])], opsets=[9, 13, 18], **near)
