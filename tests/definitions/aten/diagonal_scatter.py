# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::diagonal_scatter: one diagonal replaced.

Source: PyTorch's documentation of torch.diagonal_scatter.
"""
import numpy as np

from definition import Case


def define(x, src, offset=0, dim1=0, dim2=1):
    y = x.copy()
    places = np.diagonal(np.arange(x.size).reshape(x.shape), int(offset), int(dim1), int(dim2))
    y.reshape(-1)[places] = src
    return y


def cases():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for offset in (0, 1, -2):
        src = -10 - np.diagonal(x, offset)
        yield Case(f"matrix{offset}", inputs=[x, src, np.int64(offset), np.int64(0), np.int64(1)], constants=[2, 3, 4], opsets=range(11, 27) if offset == 1 else (11, 13, 26))
    batch = np.arange(24).reshape(2, 3, 4)
    yield Case("batch", inputs=[batch, -1 - np.diagonal(batch, 0, -2, -1), np.int64(0), np.int64(-2), np.int64(-1)], constants=[2, 3, 4], opsets=(11, 13, 26))
