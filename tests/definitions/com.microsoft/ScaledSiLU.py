# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::ScaledSiLU: z * sigmoid(z), where z is x times alpha, or times scale if that is given.

Source: ONNX Runtime's contrib operator ScaledSiLU.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale=None, alpha=1.0):
    z = x.astype(float) * (alpha if scale is None else float(np.ravel(scale)[0]))
    return (z / (1 + np.exp(-z))).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    yield Case("plain", inputs=[numbers.floats(2, 5)], **tolerance)
    yield Case("alpha", inputs=[numbers.floats(2, 5)], attributes={"alpha": 1.702}, **tolerance)
    yield Case("scale", inputs=[numbers.floats(2, 5), np.float32(0.5)], **tolerance)
