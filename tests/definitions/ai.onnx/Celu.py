# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Celu.

Source: ONNX Celu-12, Celu-28.
"""
import numpy as np

from definition import Case, definition_of


def define(x, alpha=1.0):
    dtype, x = x.dtype, x.astype(np.float64)
    return (np.maximum(x, 0) + np.minimum(0, alpha * np.expm1(np.minimum(x, 0) / alpha))).astype(dtype)


def cases():
    functions = definition_of("ai.onnx", "_schema_functions")
    yield from functions.cases_of(attributes=({}, {"alpha": 2.0}), half=False, double=False)
    points = np.concatenate([functions.POINTS.ravel(), [1e100, -1e100, 1e-100, -1e-100, 1 / 3, -1 / 3]])
    for alpha in (1.0, 0.5):
        yield Case(f"float64-{alpha}", inputs=[points], attributes={"alpha": alpha}, written_for=28, rtol=2e-15, why="Exponentials and logarithms are rounded.", cannot={"openvino": "it computes double as float"})
