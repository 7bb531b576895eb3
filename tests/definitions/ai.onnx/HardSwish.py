# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::HardSwish.

Source: ONNX HardSwish-14.
"""
import numpy as np

from definition import Case, definition_of


def define(x):
    dtype, x = x.dtype, x.astype(np.float64)
    return (x * np.clip(x / 6 + 0.5, 0, 1)).astype(dtype)


def cases():
    functions = definition_of("ai.onnx", "_schema_functions")
    yield from functions.cases_of(attributes=({},), double=False)
    points = np.concatenate([functions.POINTS.ravel(), [1e100, -1e100, 1e-100, -1e-100, 1 / 3, -1 / 3]])
    yield Case("float64", inputs=[points], rtol=4e-16, why="Products and sums are rounded.", opsets=range(9, 14), cannot={"openvino": "it computes double as float"})
