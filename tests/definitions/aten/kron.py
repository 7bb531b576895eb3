# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::kron: the Kronecker product.

Source: PyTorch's documentation of torch.kron.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.kron(x, other).astype(np.result_type(x, other))


def cases():
    x, other = np.float32([[1, 2, 3], [4, np.nan, -6]]), np.float32([[1, 0], [2, -1], [0.5, 3], [7, 8]])
    yield Case("matrices", inputs=[x, other])
    yield Case("vectors", inputs=[x[0], other[1]], opsets=(9, 12, 15, 26))
    yield Case("rank-3", inputs=[x[None], other[:, None]], opsets=(9, 12, 15, 26))
    yield Case("rank-4", inputs=[x[None, None], other[:, None, None]], opsets=(9, 12, 15, 26))
    yield Case("int64", inputs=[np.array([[1, 2]]), np.array([[3], [4]])], opsets=(9, 12, 15, 26))
    yield Case("mixed", inputs=[x, other.astype(np.float64)], opsets=(9, 12, 15, 26))
    yield Case("ranks", inputs=[x, other[0]], opsets=(9, 26), refuse="aten::kron")
