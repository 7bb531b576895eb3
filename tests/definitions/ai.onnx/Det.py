# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Det: the determinants of square matrices, which are the last two dimensions.

Source: ONNX Det-11, Det-22.
"""
import numpy as np

from definition import Case


def define(x):
    return np.linalg.det(x.astype(np.float64)).astype(x.dtype)


def cases():
    random = np.random.default_rng(15)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "The products are summed in another order.", "opsets": (9, 10), "written_for": 11}
    for rows in (1, 2, 3):
        x = random.normal(size=(4, 5, rows, rows)).astype(np.float32)
        yield Case(f"{rows}", inputs=[x[0, 0]], shapes="static", **near)
        yield Case(f"{rows}-of-many", inputs=[x], shapes=[("a", "b", "rows", rows)], **near)
    yield Case("singular", inputs=[np.ones((3, 3), np.float32)], shapes="static", **near)
    yield Case("4", inputs=[random.normal(size=(4, 4)).astype(np.float32)], shapes="static", refuse="dim(X, -1) is 4, not 3", opsets=[10], written_for=11)
