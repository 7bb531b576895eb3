# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QuickGelu: x * sigmoid(alpha * x).

Source: ONNX Runtime's contrib operator QuickGelu.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, alpha=1.702):
    wide = x.astype(np.float64)
    return (wide / (1 + np.exp(-alpha * wide))).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 4e-3), (np.float64, 1e-6)):
        cannot = {"openvino": "it computes double as float"} if dtype == np.float64 else {}
        x = numbers.floats(2, 3, 8, dtype=dtype)
        yield Case(f"default-{np.dtype(dtype)}", inputs=[x], rtol=tolerance, atol=tolerance, why=_random.FLOAT_WHY, cannot=cannot)
    yield Case("alpha", inputs=[numbers.floats(5)], attributes={"alpha": 1.25}, rtol=1e-5, atol=1e-6, why=_random.FLOAT_WHY)
    yield Case("empty", inputs=[np.zeros((2, 0), np.float32)])
