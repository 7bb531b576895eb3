# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.openvinotoolkit::GroupNorm: groups of channels of the mean 0 and the variance 1.

Source: GroupNorm of OpenVINO's ONNX frontend.
"""
import numpy as np

from definition import Case


def define(x, scale, bias, eps=1e-6, num_groups=1):
    groups = np.float64(x).reshape(len(x), num_groups, -1)
    normal = (groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + eps)
    channels = (1, -1) + (1,) * (x.ndim - 2)
    return (normal.reshape(x.shape) * scale.reshape(channels) + bias.reshape(channels)).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(6)
    x = numbers.standard_normal((2, 4, 3, 5)).astype(np.float32)
    scale, bias = numbers.standard_normal((2, 4)).astype(np.float32)
    near = {"rtol": 1e-4, "atol": 1e-5, "why": "sums in another order"}
    yield Case("groups", inputs=[x, scale, bias], attributes={"eps": 1e-5, "num_groups": 2}, **near)
    yield Case("more-dimensions", inputs=[x, scale.reshape(1, 4, 1, 1), bias.reshape(1, 4, 1, 1)], attributes={"eps": 1e-5, "num_groups": 2}, constants=[1, 2], **near)
