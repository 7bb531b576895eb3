# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::floating: float of integers and booleans, and floating-point numbers as they are.

Source: PyTorch's documentation of type promotion, for operators that have no integer result.
"""
import numpy as np

from definition import Case


def define(x):
    return x if x.dtype.kind == "f" else x.astype(np.float32)


def cases():
    for dtype in ("float32", "float64", "float16", "int64", "int8", "uint8", "uint16", "uint32", "uint64", "bool"):
        yield Case(dtype, inputs=[np.array([[0, 1, 2]]).astype(dtype)], opsets=(9, 13, 26))
