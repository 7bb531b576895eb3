# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Affine: y = alpha * x + beta.

Source: an experimental operator of ONNX before 1.5, which ONNX Runtime kept.
"""
import numpy as np

from definition import Case

def define(x, alpha=1.0, beta=0.0):
    return x * x.dtype.type(alpha) + x.dtype.type(beta)


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("both", inputs=[x], attributes={"alpha": 0.75, "beta": -0.5}, rtol=1e-5, atol=1e-6, why="float products and exponentials are rounded")
    yield Case("default", inputs=[x])
