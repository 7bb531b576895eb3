# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::hstack: numpy.hstack, in PyTorch's common type.

Source: PyTorch's documentation of torch.hstack, and of type promotion.
"""
import numpy as np

from definition import Case, Tensors, definition_of

stacks = definition_of("aten", "_stacks")


def define(tensors):
    return np.hstack(stacks.common(tensors))


def cases():
    yield from stacks.cases(refused=[np.ones((2, 2), np.float32), np.ones(2, np.float32)])
    yield Case("number-and-vector", inputs=[Tensors([np.float64(3), np.float32([1, 2])])], opsets=stacks.SOME)
    yield Case("lengths", inputs=[Tensors([np.float32([1, 2]), np.float32([3]), np.float32([])])], opsets=stacks.SOME)
