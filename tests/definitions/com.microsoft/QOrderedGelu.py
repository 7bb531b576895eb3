# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QOrderedGelu: Gelu of int8.

Source: ONNX Runtime's contrib operator QOrderedGelu and its CUDA kernel.
"""
from math import erf, sqrt

import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_quantize = definition_of("com.microsoft", "QuantizeWithOrder")


def define(x, scale_x, scale_y, **orders):
    wide = (x * scale_x).astype(float)
    return _quantize.quantized(wide * (1 + np.vectorize(erf)(wide / sqrt(2))) / 2, scale_y)


def cases():
    x = np.arange(-128, 128, dtype=np.int8).reshape(2, 4, 32)
    tolerance = {"atol": 1, "why": _random.STEP_WHY}
    yield Case("usual", inputs=[x, np.float32(0.05), np.float32(0.04)], **tolerance)
    yield Case("orders", inputs=[x, np.float32(0.01), np.float32(0.02)], attributes={"order_X": 2, "order_Y": 2}, **tolerance)
