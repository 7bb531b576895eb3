# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The greatest power of two that is not above a number.

Source: its own definition, in rules/onnx_lower/PowerBelow.cpp.
"""
import numpy as np

from definition import Case


def define(x):
    finite = np.where(np.isfinite(x), x, np.float32(1))
    exponent = np.frexp(np.maximum(finite, np.float32(2.0**-126)))[1] - 1
    return np.ldexp(np.float32(1), exponent), exponent.astype(np.float32)


def cases():
    powers = np.ldexp(np.float32(1), np.arange(-126, 128))
    around = np.concatenate([powers, np.nextafter(powers, np.float32(0)), np.nextafter(powers, np.float32(np.inf)), 1.5 * powers[:-1]])
    yield Case("around-all-powers", inputs=[around])
    yield Case("two-dimensions", inputs=[np.float32([[3, 0.3], [1e-20, 5e20]])], also=[[np.zeros((0, 2), np.float32)]])
    yield Case("odd", inputs=[np.float32([0, -1, -0.0, 1e-40, np.inf, np.nan])])
    yield Case("power-only", inputs=[np.float32([3, 7])], outputs=1, define=lambda x: define(x)[0])
    yield Case("double", inputs=[np.float64([3])], refuse="x is not float")
