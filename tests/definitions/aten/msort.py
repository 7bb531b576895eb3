# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::msort: sorted along the first dimension; NaN is greater than all else.

Source: PyTorch's documentation of torch.msort.
"""
import numpy as np

from definition import Case


def define(x):
    return np.sort(x, 0)


def cases():
    x = np.array([[3, 1, 2, -5], [9, 8, 7, 10], [0, 4, -1, 6]])
    for dtype in (np.float32, np.float64, np.int64, np.int32):
        yield Case(f"matrix-{np.dtype(dtype)}", inputs=[x.astype(dtype)], opsets=range(11, 27) if dtype == np.float32 else (11, 18, 26))
    yield Case("nan", inputs=[np.float32([np.nan, np.inf, np.nan, -np.inf, 2])], opsets=(11, 18, 26))
