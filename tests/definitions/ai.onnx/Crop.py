# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Crop: cuts a border (left, top, right, bottom) from an NCHW image, or a rectangle of a size (height, width) out of it.

Source: an experimental operator of ONNX before 1.5, which ONNX Runtime kept.
"""
import numpy as np

from definition import Case

def define(x, border, scale=None):
    left, top, right, bottom = border
    if scale:
        return x[:, :, top : top + scale[0], left : left + scale[1]]
    return x[:, :, top : x.shape[2] - bottom, left : x.shape[3] - right]


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("border", inputs=[x], attributes={"border": [1, 0, 2, 1]})
    yield Case("rectangle", inputs=[x], attributes={"border": [1, 1, 0, 0], "scale": [2, 2]})
