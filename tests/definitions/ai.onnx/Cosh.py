# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Cosh.

Source: ONNX Cosh-9.
"""
import numpy as np

from definition import Case


def define(x):
    return np.cosh(x.astype(np.float64)).astype(x.dtype)


def cases():
    x = np.array([0, 1e-30, -1e-8, 1e-4, 0.01, -0.1, 0.5, 1, -1, 3, 20, -88, 89, np.inf, -np.inf, np.nan])
    yield Case("float32", inputs=[x.astype(np.float32)], opsets=range(7, 27), cannot={"openvino": "it does not keep NaN in magnitudes"}, rtol=2e-6, why="Logarithms, exponentials and products round.")
    yield Case("float16", inputs=[x[~(np.isfinite(x) & (np.abs(x) > 6e4))].astype(np.float16)], opsets=range(7, 27), rtol=2e-3, why="Logarithms, exponentials and products round.")
