# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::tril: zeros above a diagonal.

Source: PyTorch's documentation of torch.tril.
"""
import numpy as np

from definition import Case

def define(x, diagonal):
    return np.tril(x, int(diagonal))


def cases():
    x = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    x[0, 3] = x[2, 0] = np.nan
    for diagonal in (0, 1, -1, 5, -5):
        yield Case(f"diagonal{diagonal}", inputs=[x, np.int64(diagonal)], constants=[1], also=[[x.T.copy(), np.int64(diagonal)], [x[:0], np.int64(diagonal)]],
                   opsets=range(11, 27) if diagonal == 1 else (11, 13, 14, 26))
    yield Case("batch", inputs=[np.ones((2, 3, 4, 4), np.float32), np.int64(0)], constants=[1], opsets=(11, 13, 14, 26))
    for dtype in ("float64", "float16", "int64", "int32", "uint8"):
        yield Case(dtype, inputs=[np.arange(9).reshape(3, 3).astype(dtype), np.int64(0)], constants=[1], opsets=(11, 13, 14, 26))
