# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::LayerNormalization: the last axes brought to mean 0 and variance 1, then scaled.

Source: ONNX LayerNormalization-17.
"""
import numpy as np

from definition import Case


def define(x, scale, bias=None, *, axis=-1, epsilon=1e-5):
    axes = tuple(range(axis if axis >= 0 else axis + x.ndim, x.ndim))
    wide = x.astype(np.float64)
    result = (wide - wide.mean(axes, keepdims=True)) / np.sqrt(wide.var(axes, keepdims=True) + epsilon) * scale
    return (result + (0 if bias is None else bias)).astype(x.dtype)


def cases():
    random = np.random.default_rng(7)
    x, scale, bias = (random.normal(size=size).astype(np.float32) for size in ((2, 3, 8), 8, 8))
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "Means and variances are summed in another order."}
    yield Case("plain", inputs=[x, scale, bias], **near)
    yield Case("no-bias", inputs=[x, scale], **near)
    yield Case("axis", inputs=[x, np.float32(random.normal(size=(3, 8))), None], attributes={"axis": 1, "epsilon": 0.1}, **near)
    yield Case("also-empty", inputs=[x, scale, bias], also=[[x[:0], scale, bias]], cannot={"openvino": "it loses the sizes of an empty tensor"}, **near)
    yield Case("double", inputs=[given.astype(np.float64) for given in (x, scale, bias)], rtol=1e-11, atol=1e-11, why="Squares are summed in another order, and epsilon is a float.", cannot={"openvino": "it computes double as float"})
