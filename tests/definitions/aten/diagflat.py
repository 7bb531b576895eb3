# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::diagflat: a matrix with all elements on a diagonal.

Source: PyTorch's documentation of torch.diagflat.
"""
import numpy as np

from definition import Case

def define(x, offset):
    return np.diagflat(x, int(offset))


def cases():
    for offset in (0, 1, -2):
        yield Case(f"offset{offset}", inputs=[np.float32([[1, 2], [3, np.inf]]), np.int64(offset)], constants=[1], opsets=(11, 13, 15, 18, 26))
