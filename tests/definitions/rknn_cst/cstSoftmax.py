# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""rknn_cst::cstSoftmax: softmax along one axis.

Source: the class cstSoftmax of RKNN-Toolkit2's manual.
"""
import numpy as np

from definition import Case


def define(x, axis):
    powers = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    return (powers / powers.sum(axis, keepdims=True)).astype(x.dtype)


def cases():
    x = np.random.default_rng(1).normal(size=(2, 3, 4)).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "The powers are summed in single precision, in any order."}
    for axis in (-1, 0, 1, 2):
        yield Case(f"axis-{axis}", inputs=[x], attributes={"axis": axis}, also=[[x[:1]]], **near)
    yield Case("float16", inputs=[x.astype(np.float16)], attributes={"axis": 1}, rtol=2e-3, atol=1e-3, why="float16 has eleven bits.", opsets=(9, 13, 26))
    yield Case("lost", inputs=[x], opsets=(12,), refuse="attribute 'axis' is missing")
