# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::CDist: distances between the rows of two matrices.

Source: ONNX Runtime's contrib operator CDist.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, b, metric="sqeuclidean"):
    squares = ((a[:, None].astype(np.float64) - b[None]) ** 2).sum(-1)
    return (np.sqrt(squares) if metric == "euclidean" else squares).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    a, b = numbers.floats(5, 3), numbers.floats(4, 3)
    yield Case("default", inputs=[a, b], **tolerance)
    yield Case("euclidean", inputs=[a, b], attributes={"metric": "euclidean"}, **tolerance)
    yield Case("equal-rows", inputs=[a, a], attributes={"metric": "euclidean"}, **tolerance)
    yield Case("double", inputs=[a.astype(np.float64), b.astype(np.float64)], rtol=1e-12, atol=1e-12, why=_random.FLOAT_WHY,
               cannot={"openvino": "it computes double as float"})
    yield Case("no-rows", inputs=[a[:0], b], also=[[a, b[:0]], [a[:0], b[:0]]], opsets=(11, 18, 26), cannot={"openvino": "it wants elements"})
    yield Case("cosine", inputs=[a, b], attributes={"metric": "cosine"}, refuse="metric")
