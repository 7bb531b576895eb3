# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::dstack: numpy.dstack, in PyTorch's common type.

Source: PyTorch's documentation of torch.dstack, and of type promotion.
"""
import numpy as np

from definition import Case, Tensors, definition_of

stacks = definition_of("aten", "_stacks")


def define(tensors):
    return np.dstack(stacks.common(tensors))


def cases():
    yield from stacks.cases(refused=[np.ones((2, 2), np.float32), np.ones((2, 2, 1, 1), np.float32)])
    yield Case("mixed", inputs=[Tensors([np.float32([1, 2]), np.ones((1, 2, 3), np.float32), np.float32([[5, 6]])])], opsets=stacks.SOME)
