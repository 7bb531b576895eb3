# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::mvlgamma: the logarithm of the multivariate gamma function.

Source: PyTorch's documentation of torch.mvlgamma.
"""
import math

import numpy as np

from definition import Case


def define(x, p):
    p = int(p)
    lgamma = np.vectorize(math.lgamma)
    return (math.log(math.pi) * p * (p - 1) / 4 + sum(lgamma(x.astype(np.float64) - j / 2) for j in range(p))).astype(x.dtype)


def cases():
    tolerance = {"rtol": 2e-6, "atol": 2e-6, "why": "As of aten::lgamma, whose sum it is."}
    for p in (1, 2, 5):
        yield Case(f"p{p}", inputs=[np.float32([[2.5, 3, 4.25], [7, 10, 30.5]]), np.int64(p)], constants=[1], opsets=range(11, 27) if p == 2 else (11, 13, 26), **tolerance)
    yield Case("double", inputs=[np.float64([2.5, 40]), np.int64(3)], constants=[1], opsets=(11, 13, 26), **tolerance)
