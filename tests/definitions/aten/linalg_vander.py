# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_vander: the powers of each element in a new last dimension.

Source: PyTorch's documentation of torch.linalg.vander.
"""
import numpy as np

from definition import Case


def define(x, N=None):
    return x[..., None] ** np.arange(x.shape[-1] if N is None else int(N)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime's power rounds differently in the last bit."}
    x = np.float32([[1, -2, 0], [0.5, 3, 1]])
    yield Case("square", inputs=[x, None], opsets=range(11, 27), **tolerance)
    yield Case("two", inputs=[x[0], np.int64(2)], constants=[1], opsets=(9, 10, 11, 13, 26), **tolerance)
    yield Case("four", inputs=[x.astype(np.float64), np.int64(4)], opsets=(11, 13, 26), **tolerance)
