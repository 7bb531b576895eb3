# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::ComplexAngle: the angles.

Source: its own definition, in rules/onnx_lower/ComplexAngle.onnxtxt; NumPy's complex numbers say what it is.
"""
import numpy as np

from definition import definition_of

_complex = definition_of("onnx_lower", "_complex")


def define(x):
    return np.angle(_complex.joined(x)).astype(x.dtype)


def cases():
    return _complex.cases_of_one(rtol=2e-06, atol=2e-06, why="arc tangents are rounded")
