# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ImageScaler: y = scale * x + bias per channel of an NCHW image.

Source: an experimental operator of ONNX before 1.5, which ONNX Runtime kept.
"""
import numpy as np

from definition import Case

def define(x, bias, scale=1.0):
    return (x * np.float32(scale) + np.float32(bias).reshape(-1, 1, 1)).astype(x.dtype)


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("both", inputs=[x], attributes={"bias": [0.5, -1.0], "scale": 0.25}, rtol=1e-5, atol=1e-6, why="float products and exponentials are rounded")
    yield Case("bias", inputs=[x], attributes={"bias": [0.5, -1.0]}, rtol=1e-5, atol=1e-6, why="float products and exponentials are rounded")
