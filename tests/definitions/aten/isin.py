# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isin: whether each element is among others.

Source: PyTorch's documentation of torch.isin.
"""
import numpy as np

from definition import Case

def define(x, test, assume_unique, invert):
    return np.isin(x, test, invert=bool(invert))


def cases():
    for invert in (False, True):
        yield Case(f"int64-{invert}", inputs=[np.array([[1, 2, 3], [4, 5, 6]]), np.array([[2, 6], [9, 2]]), np.bool_(False), np.bool_(invert)], constants=[2, 3])
        yield Case(f"float32-{invert}", inputs=[np.float32([1, np.nan, np.inf, -0.0]), np.float32([np.inf, np.nan, 0]), np.bool_(False), np.bool_(invert)], constants=[2, 3], opsets=(9, 11, 13, 26))
