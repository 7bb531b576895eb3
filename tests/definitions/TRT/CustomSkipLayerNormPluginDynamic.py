# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::CustomSkipLayerNormPluginDynamic: layer normalization of a sum.

Source: plugin/skipLayerNormPlugin/skipLayerNormKernel.cu and common/common.cuh of TensorRT.
"""
import numpy as np

from definition import Case


def define(x, skip, beta, gamma, bias=None, ld=0, type_id=0, plugin_version="1", plugin_namespace=""):
    rows = (x.astype(np.float64) + skip).reshape(-1, len(gamma))
    if bias is not None:
        rows = rows + np.float64(bias)
    mean = rows.mean(1, keepdims=True)
    epsilon = 2.0**-23 if len(gamma) in (768, 1024) else 0
    normal = (rows - mean) / np.sqrt((rows**2).mean(1, keepdims=True) - mean**2 + epsilon)
    return (normal * np.float64(gamma) + np.float64(beta)).reshape(x.shape).astype(x.dtype)


def cases():
    rng = np.random.default_rng(44)
    x, skip = rng.normal(size=(2, 2, 3, 4)).astype(np.float32)
    beta, gamma, bias = rng.normal(size=(3, 4)).astype(np.float32)
    fields = {"rtol": 1e-5, "atol": 2e-6, "why": "a mean and a root in float"}
    yield Case("plain", inputs=[x, skip], attributes={"beta": beta, "gamma": gamma, "ld": 4, "type_id": 0}, **fields)
    yield Case("bias", inputs=[x, skip], attributes={"beta": beta, "gamma": gamma, "bias": bias, "plugin_version": "2"}, **fields)
    bert = [x.reshape(2, 3, 4, 1, 1), skip.reshape(2, 3, 4, 1, 1)]
    lists = {"beta": [float(number) for number in beta], "gamma": [float(number) for number in gamma]}
    yield Case("of-bert", inputs=bert, attributes={**lists, "ld": 4, "type_id": 0, "plugin_namespace": ""}, **fields)
    wide = rng.normal(0, 1e-3, (2, 2, 768)).astype(np.float32)
    yield Case("768", inputs=list(wide), attributes={"beta": np.zeros(768, np.float32), "gamma": np.ones(768, np.float32)}, **fields)
    yield Case("interleaved", inputs=[x, skip], attributes={"beta": beta, "gamma": gamma, "plugin_version": "3"}, refuse="plugin_version")
