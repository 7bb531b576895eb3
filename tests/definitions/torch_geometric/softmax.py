# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_geometric::softmax: softmax of the elements whose index is the same.

Source: torch_geometric/utils/_softmax.py of torch_geometric 2.6.
"""
import numpy as np

from definition import Case


def define(src, index, ptr=None, num_nodes=None, dim=0):
    out = np.zeros(src.shape, np.float64)
    rows, results = np.moveaxis(src.astype(np.float64), int(dim), 0), np.moveaxis(out, int(dim), 0)
    for group in np.unique(index):
        powers = np.exp(rows[index == group] - rows[index == group].max(0))
        results[index == group] = powers / (powers.sum(0) + 1e-16)
    return out.astype(src.dtype)


def cases():
    x = np.random.default_rng(7).normal(0, 3, (7, 2)).astype(np.float32)
    index = np.int64([0, 3, 3, 0, 1, 3, 4])
    fields = {"rtol": 2e-6, "why": "exp and a sum in float"}
    yield Case("rows", inputs=[x, index], also=[[x[:1], index[:1]]], **fields)
    yield Case("columns", inputs=[x.T, index], attributes={"dim": 1}, **fields)
    yield Case("double", inputs=[x.astype(np.float64), index], attributes={"dim": 0}, shapes="static", rtol=1e-12, why="exp and a sum in double")
    yield Case("as-inputs", inputs=[x, index, None, np.int64(6), np.int64(0)], constants=[3, 4], **fields)
    yield Case("ptr", inputs=[x, index, np.int64([0, 3, 7]), np.int64(2), np.int64(0)], constants=[4], refuse="ptr")
