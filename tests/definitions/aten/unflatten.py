# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::unflatten: one dimension made many.

Source: PyTorch's documentation of torch.unflatten.
"""
import numpy as np

from definition import Case

def define(x, dim, sizes, names=None):
    dim = int(dim) % x.ndim
    return x.reshape(*x.shape[:dim], *(int(size) for size in sizes), *x.shape[dim + 1 :])


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 6, 2)
    for dim, sizes in ((1, [2, 3]), (1, [-1, 3]), (-2, [3, 1, 2]), (-1, [1, 2]), (0, [2, 1])):
        yield Case(f"{dim}-{'x'.join(map(str, sizes))}", inputs=[x, np.int64(dim), np.int64(sizes)], constants=[1, 2], opsets=range(9, 27) if sizes == [2, 3] else (9, 13, 26))
