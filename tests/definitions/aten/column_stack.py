# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::column_stack: numpy.column_stack, in PyTorch's common type.

Source: PyTorch's documentation of torch.column_stack, and of type promotion.
"""
import numpy as np

from definition import Case, Tensors, definition_of

stacks = definition_of("aten", "_stacks")


def define(tensors):
    return np.column_stack(stacks.common(tensors))


def cases():
    yield from stacks.cases(refused=[np.ones((2, 2), np.float32), np.ones((2, 2, 1), np.float32)])
    yield Case("vector-and-matrix", inputs=[Tensors([np.float32([1, 2]), np.float32([[3, 4, 5], [5, 6, 7]])])], opsets=stacks.SOME)
