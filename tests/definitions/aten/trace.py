# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::trace: the sum of the diagonal; of integers in int64.

Source: PyTorch's documentation of torch.trace.
"""
import numpy as np

from definition import Case

def define(x):
    return np.trace(x, dtype=np.int64 if x.dtype.kind in "iu" else None)


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4) - 4
    aside = x.copy()
    aside[0, 2] = np.nan
    aside[2, 1] = np.inf
    yield Case("float32", inputs=[x], also=[[x.T.copy()], [aside], [x[:1, :1]], [x[:0]], [aside[:, :0]]])
    yield Case("static", inputs=[x], shapes="static", opsets=(9, 12, 15, 26))
    for dtype in ("float64", "float16", "int64", "int32", "int8"):
        yield Case(dtype, inputs=[x.astype(dtype)], opsets=(9, 12, 13, 15, 26))
    far = np.diag(np.int64([2**62, 2**62 + 1, 2**53 + 1]))
    yield Case("int64-that-wraps", inputs=[far], opsets=(9, 12, 13, 15, 26), cannot={"openvino": "it computes 64-bit integers in 32 bits"})
