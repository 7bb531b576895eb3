# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::CustomGeluPluginDynamic: Gelu by the hyperbolic tangent, with a bias.

Source: plugin/geluPlugin/geluKernel.cu of TensorRT.
"""
import numpy as np

from definition import Case


def define(x, type_id=0, bias=None, plugin_version="1", plugin_namespace=""):
    z = x.astype(np.float64)
    if bias is not None:
        z = (z.reshape(-1, len(bias)) + np.float64(bias)).reshape(x.shape)
    return (z * (0.5 + 0.5 * np.tanh(z * (0.035677408136300125 * z * z + 0.7978845608028654)))).astype(x.dtype)


def cases():
    x = np.linspace(-4, 4, 24, dtype=np.float32).reshape(2, 3, 4)
    fields = {"rtol": 1e-5, "atol": 1e-6, "why": "tanh and a few products in float"}
    yield Case("float", inputs=[x], attributes={"type_id": 0, "plugin_version": "1", "plugin_namespace": ""}, **fields)
    yield Case("bias", inputs=[x], attributes={"type_id": 0, "bias": np.float32([0.5, -1, 0, 2])}, **fields)
    yield Case("of-bert", inputs=[x.reshape(2, 3, 4, 1, 1)], attributes={"bias": [0.5, -1.0, 0.0, 2.0]}, **fields)
    yield Case("half", inputs=[x.astype(np.float16)], attributes={"type_id": 1}, rtol=5e-3, atol=2e-3, why="tanh and a few products in half")
