# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::mT: the matrices of the last two dimensions, transposed.

Source: PyTorch's documentation of torch.Tensor.mT.
"""
import numpy as np

from definition import Case


def define(x):
    return np.swapaxes(x, -1, -2)


def cases():
    for dtype in (np.float32, np.int64, np.float64):
        yield Case(f"batch-{np.dtype(dtype)}", inputs=[np.arange(24).reshape(2, 3, 4).astype(dtype)], opsets=range(9, 27) if dtype == np.float32 else (9, 13, 26))
    yield Case("matrix", inputs=[np.float32([[1, 2]])], opsets=(9, 13, 26))
    for name in ("mH", "matrix_H", "adjoint"):
        yield Case(name, op_type=name, inputs=[np.float32([[1, 2], [3, 4]])], opsets=(9, 13, 26))
