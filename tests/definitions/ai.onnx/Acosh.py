# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Acosh.

Source: ONNX Acosh-9.
"""
import numpy as np

from definition import Case


def define(x):
    return np.arccosh(x.astype(np.float64)).astype(x.dtype)


def cases():
    x = np.array([1, 1.0000001, 1.0001, 1.5, 2, 100, 1e10, 1e30, np.inf, np.nan, 0.5])
    yield Case("float32", inputs=[x.astype(np.float32)], opsets=range(7, 27), rtol=2e-6, why="Logarithms, exponentials and products round.")
    yield Case("float16", inputs=[x[~(np.isfinite(x) & (np.abs(x) > 6e4))].astype(np.float16)], opsets=range(7, 27), rtol=2e-3, why="Logarithms, exponentials and products round.")
