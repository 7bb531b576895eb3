# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Gelu: x times the standard normal distribution's probability below x, or its approximation by tanh.

Source: ONNX Gelu-20.
"""
import math

import numpy as np

from definition import Case, definition_of


def define(x, approximate="none"):
    dtype, x = x.dtype, x.astype(np.float64)
    if approximate == "tanh":
        return (0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))).astype(dtype)
    return (0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))).astype(dtype)


def cases():
    functions = definition_of("ai.onnx", "_schema_functions")
    yield from functions.cases_of(attributes=({}, {"approximate": "tanh"}))
    points = np.concatenate([np.linspace(-3, 3, 13), [1e10, 1e-100, -1e-100, 1 / 3]])
    yield Case("float64-tanh", inputs=[points], attributes={"approximate": "tanh"}, rtol=2e-13, why="1 and a hyperbolic tangent near -1 are added.", opsets=range(9, 20), cannot={"openvino": "it computes double as float"})
