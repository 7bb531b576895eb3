# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""GroupNormalizationPlugin: group normalization of NCHW images with one scale and one bias per channel.

Source: TensorRT's groupNormalizationPlugin.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
group_norm = definition_of("com.microsoft", "GroupNorm").group_norm


def define(x, scale, bias, num_groups, eps=1e-5):
    return group_norm(x, scale, bias, num_groups, channels_last=0, epsilon=eps)


def cases():
    numbers = _random.Numbers()
    inputs = [numbers.floats(2, 8, 4, 5), numbers.floats(8), numbers.floats(8)]
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    yield Case("groups", inputs=inputs, attributes={"num_groups": 4, "eps": 1e-3}, **tolerance)
    yield Case("default", inputs=inputs, attributes={"num_groups": 2}, **tolerance)
