# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cartesian_prod: itertools.product of the vectors of a list.

Source: PyTorch's documentation of torch.cartesian_prod.
"""
import itertools

import numpy as np

from definition import Case, Tensors

ALL, SOME = range(11, 27), (11, 13, 26)


def define(tensors):
    if len(tensors) == 1:
        return tensors[0]
    return np.array(list(itertools.product(*tensors)), tensors[0].dtype).reshape(-1, len(tensors))


def cases():
    a, b, c = np.float32([1, 2, np.nan]), np.float32([4, 5]), np.float32([6, -7, 8, 9])
    yield Case("two", inputs=[Tensors([a, b])], opsets=ALL, also=[[Tensors([c, a])], [Tensors([c[:1], a])]])
    yield Case("three", inputs=[Tensors([a, b, c])], opsets=SOME)
    yield Case("one", inputs=[Tensors([a])], opsets=SOME)
    yield Case("int64", inputs=[Tensors([np.int64([1, 2]), np.int64([3, 4])])], opsets=SOME, shapes="static")
    yield Case("types", inputs=[Tensors([a, np.int64([3, 4])])], opsets=(17,), refuse="the tensors of the list are of different types")
    yield Case("matrix", inputs=[Tensors([a, a[None]])], opsets=(17,), refuse="a tensor of the list is not a vector")
