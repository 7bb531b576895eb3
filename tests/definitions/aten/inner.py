# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::inner: sums of products over the last dimension of both.

Source: PyTorch's documentation of torch.inner.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.inner(x, other)


def cases():
    x, other, third = np.arange(12, dtype=np.float32).reshape(3, 4), np.arange(8, dtype=np.float32).reshape(2, 4), np.ones((2, 3, 4), np.float32)
    yield Case("matrices", inputs=[x, other])
    yield Case("vectors", inputs=[x[0], other[1]], opsets=(9, 15, 26))
    yield Case("matrix-vector", inputs=[x, other[1]], opsets=(9, 15, 26))
    yield Case("batch", inputs=[third, other], opsets=(9, 15, 26))
    yield Case("number", inputs=[x, np.float32(2)], opsets=(9, 15, 26))
