# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cov: the covariance matrix.

Source: PyTorch's documentation of torch.cov.
"""
import numpy as np

from definition import Case

def define(x, correction=1, fweights=None, aweights=None):
    return np.asarray(np.cov(x.astype(np.float64), ddof=int(correction)), x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime sums in another order."}
    x = np.float32([[1, 4, 9, 16], [0, 2, 1, 5], [5, 5, -6, 6]])
    for correction in (0, 1, 2):
        yield Case(f"correction{correction}", inputs=[x, np.int64(correction), None, None], constants=[1], opsets=range(9, 27) if correction == 1 else (9, 13, 18, 26), **tolerance)
    yield Case("vector", inputs=[x[0], np.int64(1)], constants=[1], opsets=(9, 13, 18, 26), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), np.int64(1)], constants=[1], opsets=(9, 13, 18, 26), **tolerance)
    yield Case("one-observation", inputs=[x[:, :1], np.int64(1)], constants=[1], expected=[np.full((3, 3), np.nan, np.float32)], opsets=(13, 26))
    yield Case("weights", inputs=[x, np.int64(1), np.int64([1, 2, 1, 1])], constants=[1], opsets=(13,), refuse="inputs")
