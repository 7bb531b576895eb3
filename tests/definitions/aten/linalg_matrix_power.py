# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_matrix_power: powers of matrices.

Source: PyTorch's documentation of torch.linalg.matrix_power.
"""
import numpy as np

from definition import Case


def define(x, n):
    return np.linalg.matrix_power(x.astype(np.float64), int(n)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 2e-5, "atol": 2e-5, "why": "What rounding makes of it depends on the order of the products."}
    x = (np.random.default_rng(0).standard_normal((2, 3, 3)) / 2 + np.eye(3)).astype(np.float32)
    for power in (0, 1, 2, 3, 11, -1, -2):
        yield Case(f"{power}", inputs=[x, np.int64(power)], constants=[1], shapes="static", opsets=range(9, 27) if power == 3 else (9, 13, 26), **tolerance)
    yield Case("double", inputs=[x[0].astype(np.float64), np.int64(5)], constants=[1], opsets=(9, 13, 26), **tolerance)
    yield Case("old-name", op_type="matrix_power", inputs=[x, np.int64(2)], constants=[1], opsets=(9, 26), **tolerance)
    yield Case("large", inputs=[x, np.int64(2**40)], constants=[1], opsets=(13,), refuse="the power is")
