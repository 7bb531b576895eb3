# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cat: numpy.concatenate, in PyTorch's common type.

Source: PyTorch's documentation of torch.cat, and of type promotion.
"""
import numpy as np

from definition import Case, Tensors, definition_of

stacks = definition_of("aten", "_stacks")


def define(tensors, dim=0):
    return np.concatenate(stacks.common(tensors), int(dim))


def cases():
    a, b = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([[-1, np.inf, 0], [np.nan, 8, 9]])
    for dim in (0, 1, -1):
        yield Case(f"dim{dim}", inputs=[Tensors([a, b]), np.int64(dim)], constants=[1], opsets=stacks.ALL if dim == 1 else stacks.SOME)
    yield Case("default", inputs=[Tensors([a, b, a[:1]])], opsets=stacks.SOME)
    yield Case("float-int64", inputs=[Tensors([a, np.int64([[1, 2, 3]])]), np.int64(0)], constants=[1], opsets=stacks.SOME)
    yield Case("concatenate", inputs=[Tensors([a, b]), np.int64(1)], constants=[1], opsets=stacks.SOME, domain="org.pytorch.aten", op_type="concatenate")
    yield Case("ranks", inputs=[Tensors([a, a[0, :0]]), np.int64(0)], constants=[1], opsets=(17,), refuse="the tensors of the list differ in rank")
    yield Case("no-such-dim", inputs=[Tensors([a, b]), np.int64(2)], constants=[1], opsets=(17,), refuse="no dimension 2")
    yield Case("computed", inputs=[Tensors([a, b]), np.int64(1)], opsets=(17,), refuse="input 1 is not a constant number")
    yield Case("no-list", inputs=[a, np.int64(1)], constants=[1], opsets=(17,), refuse="input 0 is not a list that a SequenceConstruct")
