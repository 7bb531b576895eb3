# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ParametricSoftplus: y = alpha * ln(exp(beta * x) + 1).

Source: an experimental operator of ONNX before 1.5, which ONNX Runtime kept.
"""
import numpy as np

from definition import Case

def define(x, alpha, beta):
    return (alpha * np.log1p(np.exp(beta * x.astype(np.float64)))).astype(x.dtype)


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("both", inputs=[x], attributes={"alpha": 0.75, "beta": 1.5}, rtol=1e-5, atol=1e-6, why="float products and exponentials are rounded")
