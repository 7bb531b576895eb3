# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""LReLU_TRT: x where x >= 0, else negSlope * x.

Source: TensorRT's leakyReluPlugin.
"""
import numpy as np

from definition import Case

def define(x, negSlope, plugin_version="1"):
    return np.where(x >= 0, x, x * np.float32(negSlope))


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("slope", inputs=[x], attributes={"negSlope": 0.25, "plugin_version": "1"})
