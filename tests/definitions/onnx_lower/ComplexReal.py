# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::ComplexReal: the real parts.

Source: its own definition, in rules/onnx_lower/ComplexReal.onnxtxt; NumPy's complex numbers say what it is.
"""
from definition import definition_of

_complex = definition_of("onnx_lower", "_complex")


def define(x):
    return x[..., 0]


def cases():
    return _complex.cases_of_one()
