# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Gelu: x times the normal distribution's cumulative probability.

Source: ONNX Runtime's contrib operator Gelu.
"""
import math

import numpy as np

from definition import Case

_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(x):
    wide = np.asarray(x, np.float64)
    return wide * 0.5 * (1 + _erf(wide / math.sqrt(2)))


def gelu_tanh(x):
    wide = np.asarray(x, np.float64)
    return 0.5 * wide * (1 + np.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3)))


def define(x):
    return gelu(x).astype(x.dtype)


def cases():
    why = "the error function is approximated"
    values = np.linspace(-6, 6, 41).reshape(1, 41)
    yield Case("float", inputs=[values.astype(np.float32)], rtol=1e-5, atol=1e-6, why=why)
    yield Case("float16", inputs=[values.astype(np.float16)], rtol=2e-3, atol=2e-3, why="float16 has eleven bits")
    yield Case("double", inputs=[values], rtol=1e-6, atol=1e-7, why=why, cannot={"openvino": "it computes double as float"})
    yield Case("scalar", inputs=[np.float32(0.5)], rtol=1e-5, why=why)
    yield Case("empty", inputs=[np.zeros((0, 3), np.float32)])
