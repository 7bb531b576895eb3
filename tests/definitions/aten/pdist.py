# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::pdist: the norms of the differences of all pairs of rows.

Source: PyTorch's documentation of torch.nn.functional.pdist.
"""
import itertools

import numpy as np

from definition import Case


def define(x, p):
    p = float(p)
    wide = x.astype(np.float64)
    differences = np.array([abs(wide[i] - wide[j]) for i, j in itertools.combinations(range(len(x)), 2)]).reshape(-1, x.shape[1])
    if np.isinf(p):
        return differences.max(1).astype(x.dtype)
    return ((differences**p).sum(1) ** (1 / p)).astype(x.dtype)


def cases():
    x = np.float32([[1, 2, 3], [4, 0, 3], [-1, 2.5, 7], [0, 0, 0]])
    tolerance = {"rtol": 1e-6, "why": "The runtime computes powers and sums in float."}
    for p in (1.0, 2.0, 3.0, np.inf):
        yield Case(f"p{p}", inputs=[x, np.float64(p)], constants=[1], opsets=range(11, 27) if p == 2 else (11, 13, 26), also=[[x[:2], np.float64(p)]], **tolerance)
    yield Case("nan", inputs=[np.float32([[1, np.nan], [2, 3], [2, 5]]), np.float64(2)], constants=[1], opsets=(11, 13, 26), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), np.float64(2)], constants=[1], opsets=(11, 13, 26), **tolerance)
    yield Case("no-pairs", inputs=[x[:1], np.float64(2)], constants=[1], opsets=(13, 26), define=lambda x, p: np.zeros(0, np.float32), cannot={"openvino": "it wants elements"})
    yield Case("p0", inputs=[x, np.float64(0)], constants=[1], opsets=(13,), refuse="value_of_p is 0")
