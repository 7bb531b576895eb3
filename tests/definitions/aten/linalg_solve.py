# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_solve: a system of linear equations.

Source: PyTorch's documentation of torch.linalg.solve.
"""
import numpy as np

from definition import Case


def define(A, B, left=True):
    a, b = A.astype(np.float64), B.astype(np.float64)
    if not left:
        return np.swapaxes(np.linalg.solve(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2)), -1, -2).astype(A.dtype)
    is_vector = b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])
    found = np.linalg.solve(a, b[..., None] if is_vector else b)
    return (found[..., 0] if is_vector else found).astype(A.dtype)


def cases():
    tolerance = {"rtol": 2e-5, "atol": 2e-5, "why": "What rounding makes of it depends on the order of the steps."}
    random = np.random.default_rng(0)
    a = (random.standard_normal((2, 3, 3)) + 3 * np.eye(3)).astype(np.float32)
    b = random.standard_normal((2, 3, 4)).astype(np.float32)
    yes = np.bool_(True)
    common = {"constants": [2], "shapes": "static", **tolerance}
    yield Case("matrix", inputs=[a[0], b[0], yes], opsets=range(9, 27), **common)
    yield Case("batch", inputs=[a, b, yes], opsets=(9, 13, 26), **common)
    yield Case("vector", inputs=[a[0], b[0, :, 0], yes], opsets=(9, 13, 26), **common)
    yield Case("batch-of-vectors", inputs=[a, b[..., 0], yes], opsets=(9, 13, 26), **common)
    yield Case("one-for-all", inputs=[a, b[0], yes], opsets=(9, 13, 26), **common)
    yield Case("right", inputs=[a[0], b[0].T.copy(), np.bool_(False)], opsets=(9, 13, 26), **common)
    yield Case("right-batch", inputs=[a, np.swapaxes(b, 1, 2).copy(), np.bool_(False)], opsets=(9, 13, 26), **common)
    yield Case("no-pivot", inputs=[np.float32([[0, 1], [1, 0]]), np.float32([[1, 2], [3, 4]]), yes], opsets=(9, 13, 26), **common)
    yield Case("double", inputs=[a.astype(np.float64), b.astype(np.float64), yes], opsets=(9, 13, 26), **common)
    yield Case("unknown", inputs=[a[0], b[0], yes], constants=[2], opsets=(13,), refuse="the size of the matrices is not known")
