# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::opmath: float of float16, int64 of smaller integers, and all else as it is.

Source: at::opmath_type; c10::Scalar holds an integer as int64_t.
"""
import numpy as np

from definition import Case


def define(x):
    return x.astype({"f2": np.float32}.get(x.dtype.str[1:], x.dtype) if x.dtype.kind == "f" else np.int64)


def cases():
    for dtype in ("float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32"):
        yield Case(dtype, inputs=[np.array([[0, 1, 127]]).astype(dtype)], opsets=(9, 13, 26))
