# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::vstack: numpy.vstack, in PyTorch's common type.

Source: PyTorch's documentation of torch.vstack, and of type promotion.
"""
import numpy as np

from definition import Case, Tensors, definition_of

stacks = definition_of("aten", "_stacks")


def define(tensors):
    return np.vstack(stacks.common(tensors))


def cases():
    yield from stacks.cases(refused=[np.ones((2, 2), np.float32), np.ones((1, 2, 2), np.float32)])
    yield Case("vector-and-matrix", inputs=[Tensors([np.float32([1, 2]), np.float32([[3, 4], [5, 6]])])], opsets=stacks.SOME)
    yield Case("row_stack", inputs=[Tensors([np.float32([1, 2]), np.float32([3, 4])])], opsets=stacks.SOME, domain="org.pytorch.aten", op_type="row_stack")
