# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Irfft: the real signals along the last axis whose non-negative frequencies are given.

Source: ONNX Runtime's contrib operator Irfft.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, signal_ndim, onesided=1, normalized=0):
    return np.fft.irfft(x[..., 0].astype(np.float64) + 1j * x[..., 1]).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}
    yield Case("matrix", inputs=[numbers.floats(3, 5, 2)], attributes={"signal_ndim": 1}, also=[[numbers.floats(2, 17, 2)]], **tolerance)
    yield Case("vector", inputs=[numbers.floats(9, 2)], attributes={"signal_ndim": 1}, shapes="static", **tolerance)
