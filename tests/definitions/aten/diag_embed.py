# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::diag_embed: the last dimension on a diagonal of new matrices.

Source: PyTorch's documentation of torch.diag_embed.
"""
import numpy as np

from definition import Case

def define(x, offset, dim1=-2, dim2=-1):
    assert (int(dim1), int(dim2)) == (-2, -1)
    size = x.shape[-1] + abs(int(offset))
    result = np.zeros((*x.shape[:-1], size, size), x.dtype)
    for index in np.ndindex(x.shape[:-1]):
        result[index] = np.diag(x[index], int(offset))
    return result


def cases():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    x[0, 1] = np.nan
    for offset in (0, 2, -1):
        yield Case(f"offset{offset}", inputs=[x, np.int64(offset), np.int64(-2), np.int64(-1)], constants=[1, 2, 3], opsets=range(11, 27))
    yield Case("vector", inputs=[x[1], np.int64(1)], constants=[1], opsets=(11, 15, 26))
    yield Case("dimensions", inputs=[x, np.int64(0), np.int64(0), np.int64(2)], constants=[1, 2, 3], opsets=(11, 26), refuse="value_of_dim1")
