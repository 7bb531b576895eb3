# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""InstanceNormalization_TRT: instance normalization, with relu = 1 followed by a leaky ReLU of slope alpha.

Source: TensorRT's instanceNormalizationPlugin.
"""
import numpy as np

from definition import Case

def define(x, scale, bias, epsilon=1e-5, relu=0, alpha=0.0):
    wide = x.astype(np.float64)
    centred = wide - wide.mean((2, 3), keepdims=True)
    y = centred / np.sqrt((centred**2).mean((2, 3), keepdims=True) + epsilon) * scale.reshape(-1, 1, 1) + bias.reshape(-1, 1, 1)
    return (np.where(y >= 0, y, alpha * y) if relu else y).astype(x.dtype)


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    parameters = [np.float32([0.5, 2.0]), np.float32([0.25, -1.0])]
    near = {"rtol": 1e-4, "atol": 1e-5, "why": "means are rounded in another order than here"}
    yield Case("plain", inputs=[x**3, *parameters], attributes={"epsilon": 1e-3}, **near)
    yield Case("leaky", inputs=[x**3, *parameters], attributes={"relu": 1, "alpha": 0.25}, **near)
