# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::diagonal: a diagonal of a matrix.

Source: PyTorch's documentation of torch.diagonal.
"""
import numpy as np

from definition import Case

def define(x, offset, dim1=0, dim2=1):
    return np.diagonal(x, int(offset), int(dim1), int(dim2))


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for offset in (0, 1, -2, 7, -7):
        yield Case(f"offset{offset}", inputs=[x, np.int64(offset), np.int64(0), np.int64(1)], constants=[1, 2, 3], also=[[x.T.copy(), np.int64(offset), np.int64(0), np.int64(1)]],
                   opsets=range(11, 27) if offset == 1 else (11, 13, 15, 26))
    yield Case("last-two", inputs=[x, np.int64(0), np.int64(-2), np.int64(-1)], constants=[1, 2, 3], opsets=(11, 15, 26))
    batch = np.arange(48, dtype=np.float32).reshape(2, 2, 3, 4)
    for dims in ((-2, -1), (2, 3)):
        yield Case(f"batch{dims[0]}", inputs=[batch, np.int64(1), np.int64(dims[0]), np.int64(dims[1])], constants=[1, 2, 3], opsets=(11, 13, 26))
    yield Case("of-matrices", op_type="linalg_diagonal", inputs=[batch, np.int64(0), np.int64(-2), np.int64(-1)], constants=[1, 2, 3], opsets=(11, 13, 26))
    yield Case("other-dimensions", inputs=[batch, np.int64(1), np.int64(0), np.int64(1)], constants=[1, 2, 3], opsets=(13,), refuse="value_of_dim1")
