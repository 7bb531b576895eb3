# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GroupNormalization: groups of channels brought to mean 0 and variance 1, then scaled per channel (below 21: per group).

Source: ONNX GroupNormalization-18, GroupNormalization-21.
"""
import numpy as np

from definition import Case

WHY = "Means and variances are summed in another order."


def define(x, scale, bias, *, num_groups, epsilon=1e-5):
    grouped = x.astype(np.float64).reshape(x.shape[0], num_groups, -1)
    mean, variance = grouped.mean(-1, keepdims=True), grouped.var(-1, keepdims=True)
    shape = [1, -1] + [1] * (x.ndim - 2)
    return (((grouped - mean) / np.sqrt(variance + epsilon)).reshape(x.shape) * scale.reshape(shape) + bias.reshape(shape)).astype(x.dtype)


def define_per_group(x, scale, bias, *, num_groups, epsilon=1e-5):
    per_channel = [np.repeat(value, x.shape[1] // num_groups) for value in (scale, bias)]
    return define(x, *per_channel, num_groups=num_groups, epsilon=epsilon)


def cases():
    random = np.random.default_rng(5)
    x = random.normal(size=(2, 6, 3, 4)).astype(np.float32)
    scale, bias = random.normal(size=(2, 6)).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": WHY, "shapes": "static"}
    yield Case("per-channel", inputs=[x, scale, bias], attributes={"num_groups": 3}, written_for=21, **near)
    yield Case("per-channel-epsilon", inputs=[x, scale, bias], attributes={"num_groups": 2, "epsilon": 0.1}, written_for=21, **near)
    yield Case("per-group", inputs=[x, scale[:3], bias[:3]], attributes={"num_groups": 3}, written_for=18, define=define_per_group, **near)
    # The function in the operator's schema, which ONNX Runtime executes, takes one infinity from another where the square of a mean is infinite.
    large = np.float32([[[1e20, 2e20], [3e20, 1e20]], [[1, 2], [3, 5]]])
    result = define_per_group(large, np.ones(1, np.float32), np.zeros(1, np.float32), num_groups=1)
    result[0] = np.nan
    yield Case("squares-overflow", inputs=[large, np.ones(1, np.float32), np.zeros(1, np.float32)], attributes={"num_groups": 1}, written_for=18,
               expected=[result], **near)
