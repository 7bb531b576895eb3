# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Rfft: the non-negative frequencies of the Fourier transform of real signals along the last axis.

Source: ONNX Runtime's contrib operator Rfft.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, signal_ndim=1, onesided=1, normalized=0):
    y = np.fft.rfft(x.astype(np.float64))
    return np.stack([y.real, y.imag], -1).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}
    yield Case("matrix", inputs=[numbers.floats(3, 8)], also=[[numbers.floats(2, 32)]], **tolerance)
    yield Case("batches", inputs=[numbers.floats(2, 3, 10)], attributes={"signal_ndim": 1, "onesided": 1, "normalized": 0}, **tolerance)
    yield Case("vector", inputs=[numbers.floats(16)], shapes="static", **tolerance)
    yield Case("two-dimensional", inputs=[numbers.floats(4, 8)], attributes={"signal_ndim": 2}, refuse="signal_ndim")
