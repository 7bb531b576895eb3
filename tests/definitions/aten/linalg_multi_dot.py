# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_multi_dot: the product of a list of matrices.

Source: PyTorch's documentation of torch.linalg.multi_dot.
"""
import functools

import numpy as np

from definition import Case, Tensors


def define(tensors):
    return functools.reduce(np.matmul, tensors)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": "The runtime adds in another order."}
    random = np.random.default_rng(0)
    a, b, c = (random.standard_normal(shape).astype(np.float32) for shape in ((2, 3), (3, 4), (4, 2)))
    yield Case("three", inputs=[Tensors([a, b, c])], opsets=range(11, 27), **tolerance)
    yield Case("two", inputs=[Tensors([a, b])], opsets=(11, 13, 26), **tolerance)
    yield Case("vectors", inputs=[Tensors([a[0], b, c[:, 0]])], opsets=(11, 13, 26), **tolerance)
    yield Case("chain", op_type="chain_matmul", inputs=[Tensors([a, b, c])], opsets=(11, 13, 26), **tolerance)
    yield Case("tensor", inputs=[Tensors([a, b[None], c])], opsets=(13,), refuse="tensor 1 of the list is no matrix")
