# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::LayerNormalization: as ONNX's LayerNormalization.

Source: ONNX Runtime's operator of that name.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale, bias=None, axis=-1, epsilon=1e-5, stash_type=1):
    wide = x.astype(np.float64)
    axes = tuple(range(axis % x.ndim, x.ndim))
    mean = wide.mean(axes, keepdims=True)
    inverse = 1 / np.sqrt(((wide - mean) ** 2).mean(axes, keepdims=True) + epsilon)
    y = (wide - mean) * inverse * scale
    if bias is not None:
        y = y + bias
    return y.astype(x.dtype), mean.astype(np.float32), inverse.astype(np.float32)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    x = numbers.floats(2, 3, 8)
    yield Case("last", inputs=[x, numbers.floats(8), numbers.floats(8)], outputs=1, **tolerance)
    yield Case("no-bias", inputs=[x, numbers.floats(8)], attributes={"epsilon": 1e-3}, outputs=1, **tolerance)
    yield Case("axis-1", inputs=[x, numbers.floats(3, 8), numbers.floats(3, 8)], attributes={"axis": 1}, outputs=1, **tolerance)
