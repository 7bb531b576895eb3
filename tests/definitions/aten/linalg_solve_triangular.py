# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_solve_triangular: a system of linear equations of which one triangle counts.

Source: PyTorch's documentation of torch.linalg.solve_triangular.
"""
import numpy as np

from definition import Case


def define(a, b, upper, left, unitriangular):
    triangle = (np.triu if upper else np.tril)(a.astype(np.float64))
    if unitriangular:
        for axis in range(a.shape[-1]):
            triangle[..., axis, axis] = 1
    inverse = np.linalg.inv(triangle)
    return (inverse @ b if left else b @ inverse).astype(a.dtype)


def cases():
    tolerance = {"rtol": 2e-5, "atol": 2e-5, "why": "What rounding makes of it depends on the order of the steps."}
    random = np.random.default_rng(0)
    a = (random.standard_normal((2, 3, 3)) + 3 * np.eye(3)).astype(np.float32)
    b = random.standard_normal((2, 3, 3)).astype(np.float32)
    for upper in (False, True):
        for left in (False, True):
            for unit in (False, True):
                flags = [np.bool_(flag) for flag in (upper, left, unit)]
                yield Case(f"{upper}-{left}-{unit}", inputs=[a[0], b[0], *flags], constants=[2, 3, 4], shapes="static", opsets=range(9, 27) if left and not unit else (11, 14, 26), **tolerance)
    yield Case("batch", inputs=[a, b, np.bool_(True), np.bool_(True), np.bool_(False)], constants=[2, 3, 4], shapes="static", opsets=(14, 26), **tolerance)
