# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""rknn_cst::cstSigmoid: 1 / (1 + exp(-x)).

Source: the class cstSigmoid of RKNN-Toolkit2's examples.
"""
import numpy as np

from definition import Case


def define(x):
    return (1 / (1 + np.exp(-x.astype(np.float64)))).astype(x.dtype)


def cases():
    x = np.float32([[-100, -1, -0.0], [0.5, 20, np.nan]])
    yield Case("float32", inputs=[x], also=[[x[:0]]], rtol=1e-5, atol=1e-7, why="The runtimes approximate the exponential.")
    yield Case("float16", inputs=[x.astype(np.float16)], rtol=2e-3, atol=1e-3, why="float16 has eleven bits.", opsets=(9, 13, 26))
