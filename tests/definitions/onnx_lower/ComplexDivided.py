# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::ComplexDivided: quotients by real numbers.

Source: its own definition, in rules/onnx_lower/ComplexDivided.onnxtxt; NumPy's complex numbers say what it is.
"""
import numpy as np

from definition import Case, definition_of

_complex = definition_of("onnx_lower", "_complex")


def define(a, b):
    return a / b[..., None]


def cases():
    for dtype in (np.float32, np.float64):
        a, b = _complex.drawn(1, 3, 4, dtype=dtype), _complex.drawn(2, 3, 4, dtype=dtype)[..., 0]
        yield Case(f"{np.dtype(dtype)}", inputs=[a, b], shapes="static")
        yield Case(f"broadcast-{np.dtype(dtype)}", inputs=[a[:1], b[0]], shapes="static")
