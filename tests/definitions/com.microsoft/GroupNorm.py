# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GroupNorm: group normalization of images, computed in float, perhaps through SiLU.

Source: ONNX Runtime's contrib operator GroupNorm.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def group_norm(x, gamma, beta, groups, activation=0, channels_last=1, epsilon=1e-5):
    image = np.moveaxis(x, -1, 1) if channels_last else x
    wide = image.astype(np.float64).reshape(image.shape[0], groups, -1)
    centred = wide - wide.mean(2, keepdims=True)
    normal = (centred / np.sqrt((centred**2).mean(2, keepdims=True) + epsilon)).reshape(image.shape)
    y = normal * gamma.reshape(-1, 1, 1) + beta.reshape(-1, 1, 1)
    if activation:
        y = y / (1 + np.exp(-y))
    return (np.moveaxis(y, 1, -1) if channels_last else y).astype(x.dtype)


def define(x, gamma, beta, groups, activation, channels_last=1, epsilon=1e-5):
    return group_norm(x, gamma, beta, groups, activation, channels_last, epsilon)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    gamma, beta = numbers.floats(8), numbers.floats(8)
    for activation in (0, 1):
        attributes = {"groups": 2, "activation": activation}
        yield Case(f"last-{activation}", inputs=[numbers.floats(2, 4, 5, 8), gamma, beta], attributes=attributes, constants=[1, 2], **tolerance)
        attributes = {"groups": 4, "activation": activation, "channels_last": 0, "epsilon": 1e-3}
        yield Case(f"first-{activation}", inputs=[numbers.floats(2, 8, 4, 5), gamma, beta], attributes=attributes, **tolerance)
    half = numbers.floats(2, 4, 5, 8, dtype=np.float16)
    yield Case("float16", inputs=[half, gamma, beta], attributes={"groups": 2, "activation": 1}, rtol=5e-3, atol=5e-3,
               why="float16 has eleven bits")
