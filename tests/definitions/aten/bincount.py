# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::bincount.

Source: PyTorch's documentation of torch.bincount; sums of float weights are float, of all others double.
"""
import numpy as np

from definition import Case

def define(x, weights=None, minlength=0):
    counts = np.bincount(x, weights, int(minlength))
    return counts.astype(np.int64 if weights is None else np.float32 if weights.dtype == np.float32 else np.float64)


def cases():
    x = np.int64([3, 0, 1, 3, 3, 7])
    for minlength in (0, 12):
        yield Case(f"minlength{minlength}", inputs=[x, None, np.int64(minlength)], constants=[2], opsets=range(11, 27), also=[[x[:0], None, np.int64(minlength)]] if minlength else [])
    for dtype in (np.int32, np.uint8):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype), None, np.int64(0)], constants=[2], opsets=(11, 18, 26))
    for dtype in (np.float32, np.float64, np.int64):
        yield Case(f"weights-{np.dtype(dtype)}", inputs=[x, np.array([1, 2, -3, 4, 0, 7], dtype), np.int64(0)], constants=[2], opsets=range(11, 27) if dtype == np.float32 else (11, 18, 26))
