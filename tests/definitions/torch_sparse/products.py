# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""torch_sparse::products, of this tool's rules: what a product with a sparse matrix adds up.

Source: csrc/cpu/spmm_cpu.cpp of torch_sparse 0.6.
"""
import numpy as np

from definition import Case


def define(rowptr, col, value, mat):
    product = np.stack([mat[..., column, :] for column in col], axis=-2)
    if value is not None:
        product = product * value[:, None]
    row = [i for i in range(len(rowptr) - 1) for _ in range(rowptr[i], rowptr[i + 1])]
    return product.astype(mat.dtype), np.int64(row), np.int64(len(rowptr) - 1)


def cases():
    begins, columns = np.int64([0, 2, 2, 5, 6]), np.int64([1, 3, 0, 0, 2, 3])
    mat = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    yield Case("values", inputs=[begins, columns, np.float32([1, 2, 3, -1, -2, 0.5]), mat], outputs=3)
    yield Case("no-values", inputs=[begins, columns, None, mat[0]], outputs=3)
