# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SkipGroupNorm: group normalization of x + skip + bias; the sum is the second output.

Source: ONNX Runtime's contrib operator SkipGroupNorm.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
group_norm = definition_of("com.microsoft", "GroupNorm").group_norm


def define(x, gamma, beta, skip, bias=None, *, groups, activation, channels_last=1, epsilon=1e-5):
    if skip.ndim == 2:
        skip = skip[:, None, None, :] if channels_last else skip[:, :, None, None]
    total = x + skip
    if bias is not None:
        total = total + (bias if channels_last else bias.reshape(-1, 1, 1))
    return group_norm(total, gamma, beta, groups, activation, channels_last, epsilon), total


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    gamma, beta, bias = numbers.floats(8), numbers.floats(8), numbers.floats(8)
    for channels_last, shape in ((1, (2, 4, 5, 8)), (0, (2, 8, 4, 5))):
        attributes = {"groups": 2, "activation": 1, "channels_last": channels_last}
        x = numbers.floats(*shape)
        yield Case(f"skip-row-{channels_last}", inputs=[x, gamma, beta, numbers.floats(2, 8), bias], attributes=attributes, **tolerance)
        yield Case(f"skip-image-{channels_last}", inputs=[x, gamma, beta, numbers.floats(*shape)], attributes=attributes, outputs=1, **tolerance)
