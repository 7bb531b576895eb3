# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::ComplexConj: the conjugates.

Source: its own definition, in rules/onnx_lower/ComplexConj.onnxtxt; NumPy's complex numbers say what it is.
"""
import numpy as np

from definition import definition_of

_complex = definition_of("onnx_lower", "_complex")


def define(x):
    return _complex.apart(np.conj(_complex.joined(x)), x)


def cases():
    return _complex.cases_of_one()
