# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::group_norm: groups of channels, less their mean, divided by the root of their variance.

Source: PyTorch's documentation of torch.nn.GroupNorm.
"""
import numpy as np

from definition import Case


def define(x, groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    z = np.float64(x).reshape(x.shape[0], int(groups), -1)
    y = ((z - z.mean(axis=-1, keepdims=True)) / np.sqrt(z.var(axis=-1, keepdims=True) + eps)).reshape(x.shape)
    column = [-1] + [1] * (x.ndim - 2)
    return (y * (1 if weight is None else weight.reshape(column)) + (0 if bias is None else bias.reshape(column))).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(9)
    x, weight, bias = (numbers.standard_normal(shape).astype(np.float32) for shape in ((2, 6, 3, 5), (6,), (6,)))
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "sums in another order"}
    rest = [np.float64(1e-5), np.bool_(True)]
    yield Case("usual", inputs=[x, np.int64(3), weight, bias, *rest], constants=[1, 4, 5], **near)
    yield Case("no-bias", inputs=[x, np.int64(2), weight, None, *rest], constants=[1, 4, 5], opsets=(9, 13, 26), **near)
    yield Case("no-weight", inputs=[x, np.int64(2), None, bias, *rest], constants=[1, 4, 5], opsets=(9, 13, 26), **near)
    yield Case("neither", inputs=[x[:, :, 0, 0], np.int64(1), None, None, *rest], constants=[1, 4, 5], opsets=(9, 13, 26), **near)
    half = [x.astype(np.float16), np.int64(3), weight.astype(np.float16), bias.astype(np.float16), *rest]
    yield Case("half", inputs=half, constants=[1, 4, 5], opsets=(13, 26), rtol=4e-3, atol=4e-3, why="the quotient and the sum are rounded to half precision")
    yield Case("double", inputs=[np.float64(x), np.int64(3), np.float64(weight), np.float64(bias), np.float64(0.5), np.bool_(True)], constants=[1, 4, 5], opsets=(13, 26), **near)
