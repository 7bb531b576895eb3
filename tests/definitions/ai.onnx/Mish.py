# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Mish.

Source: ONNX Mish-18.
"""
import numpy as np

from definition import definition_of


def define(x):
    dtype, x = x.dtype, x.astype(np.float64)
    return (x * np.tanh(np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0))).astype(dtype)


def cases():
    return definition_of("ai.onnx", "_schema_functions").cases_of(attributes=({},))
