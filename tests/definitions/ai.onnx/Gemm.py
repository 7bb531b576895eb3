# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Gemm: alpha * A * B + beta * C.

Source: ONNX Gemm-11.
"""
import numpy as np

from definition import Case


def define(a, b, c=None, *, alpha=1.0, beta=1.0, transA=0, transB=0):
    a, b = a.T if transA else a, b.T if transB else b
    return (alpha * (a @ b) + (0 if c is None else beta * c)).astype(a.dtype)


def cases():
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 4), np.float32)
    yield Case("no-summand", inputs=[a, b], written_for=11)
    yield Case("attributes", inputs=[a.T.copy(), b.T.copy()], attributes={"alpha": 0.5, "transA": 1, "transB": 1}, written_for=11)
    yield Case("summand", inputs=[a, b, np.float32([1, 2, 3, 4])], attributes={"beta": 2.0}, written_for=11)
    yield Case("double", inputs=[a.astype(np.float64), b.astype(np.float64)], written_for=11)
