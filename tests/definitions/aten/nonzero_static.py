# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::nonzero_static: as many rows of indices as are asked for.

Source: PyTorch's documentation of torch.nonzero_static.
"""
import numpy as np

from definition import Case


def define(x, size, fill_value):
    rows = np.argwhere(x)[: int(size)]
    return np.concatenate([rows, np.full((int(size) - len(rows), x.ndim), int(fill_value))])


def cases():
    x = np.float32([[0, 1, 2], [0, 0, 3]])
    for size in (2, 3, 5):
        yield Case(f"size-{size}", inputs=[x, np.int64(size), np.int64(-1)], constants=[1, 2], opsets=range(11, 27) if size == 5 else (11, 13, 26))
    yield Case("vector", inputs=[np.int64([0, 4]), np.int64(3), np.int64(7)], constants=[1, 2], opsets=(11, 13, 26))
