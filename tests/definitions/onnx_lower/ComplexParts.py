# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::ComplexParts: pairs as they are.

Source: its own definition, in rules/onnx_lower/ComplexParts.onnxtxt; NumPy's complex numbers say what it is.
"""
import numpy as np

from definition import Case, definition_of

_complex = definition_of("onnx_lower", "_complex")


def define(x):
    return x


def cases():
    for dtype in (np.float32, np.float64):
        x = _complex.drawn(1, 3, 4, dtype=dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[x], also=[[x[:0]]], shapes=[("a", "b", 2)])
    yield Case("scalar", inputs=[_complex.drawn(2)], shapes="static")
