# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::layer_norm: the last dimensions, less their mean, divided by the root of their variance.

Source: PyTorch's documentation of torch.nn.LayerNorm.
"""
import numpy as np

from definition import Case


def define(x, shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    axes = tuple(range(-len(shape), 0))
    z = np.float64(x)
    y = (z - z.mean(axis=axes, keepdims=True)) / np.sqrt(z.var(axis=axes, keepdims=True) + eps)
    return (y * (1 if weight is None else weight) + (0 if bias is None else bias)).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(9)
    x, weight, bias = (numbers.standard_normal(shape).astype(np.float32) for shape in ((2, 3, 4), (3, 4), (3, 4)))
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "sums in another order"}
    yield Case("usual", inputs=[x, np.array([4]), weight[0], bias[0], np.float64(1e-5), np.bool_(True)], constants=[1, 4, 5], **near)
    yield Case("two-dimensions", inputs=[x, np.array([3, 4]), weight, bias, np.float64(0.5), np.bool_(False)], constants=[1, 4, 5], opsets=(13, 17, 26), **near)
    yield Case("no-bias", inputs=[x, np.array([4]), weight[0], None, np.float64(1e-3), np.bool_(False)], constants=[1, 4, 5], opsets=(13, 17, 26), **near)
    yield Case("neither", inputs=[x, np.array([4]), None, None, np.float64(1e-5), np.bool_(True)], constants=[1, 4, 5], opsets=(13, 17, 26), **near)
