# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::histc: a histogram of parts of one width.

Source: PyTorch's documentation of torch.histc, and ATen's kernel of histograms for the bounds.
"""
import numpy as np

from definition import Case


def define(x, bins, min, max):
    x = x.reshape(-1)
    low, high = (min, max) if min < max else (x.min(), x.max())
    low, high = x.dtype.type(low), x.dtype.type(high)
    if low == high:
        low, high = low - 1, high + 1
    x = x[(x >= low) & (x <= high)]
    places = np.minimum(((x - low) * x.dtype.type(bins) / (high - low)).astype(np.int64), int(bins) - 1)
    return np.bincount(places, minlength=int(bins)).astype(x.dtype)


def cases():
    x = np.random.default_rng(0).standard_normal((3, 7)).astype(np.float32)
    x[0, :4] = [-2, 2, 0, 2.5]
    for dtype in (np.float32, np.float64):
        limits = [np.float64(-2), np.float64(2)]
        yield Case(f"limits-{np.dtype(dtype)}", inputs=[x.astype(dtype), np.int64(8), *limits], constants=[1, 2, 3], opsets=range(9, 27) if dtype == np.float32 else (9, 13, 26))
    none = [np.float64(0), np.float64(0)]
    yield Case("whole", inputs=[x, np.int64(5), *none], constants=[1, 2, 3], opsets=(9, 11, 13, 18, 26))
    yield Case("one-value", inputs=[np.float32([3, 3]), np.int64(4), *none], constants=[1, 2, 3], opsets=(9, 11, 13, 26))
    yield Case("not-numbers", inputs=[np.float32([np.nan, 1, np.inf, -np.inf, 0]), np.int64(4), np.float64(0), np.float64(1)], constants=[1, 2, 3], opsets=(9, 13, 26))
