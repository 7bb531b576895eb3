# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::cosine_similarity: the product of two tensors along a dimension, each divided by its length.

Source: PyTorch's documentation of torch.nn.functional.cosine_similarity, torch 2.
"""
import numpy as np

from definition import Case


def define(x1, x2, dim, eps):
    a, b = np.broadcast_arrays(x1.astype(np.float64), x2.astype(np.float64))
    dim, eps = int(dim), float(eps)
    lengths = [np.maximum(np.sqrt((x * x).sum(dim, keepdims=True)), eps) for x in (a, b)]
    return (a / lengths[0] * (b / lengths[1])).sum(dim).astype(x1.dtype)


def cases():
    x, z = np.float32([[1, 2, 3], [4, 0, 3]]), np.float32([[-1, 2.5, 7], [0, 0, 0]])
    tolerance = {"rtol": 2e-6, "atol": 1e-6, "why": "The runtime computes sums and roots in float, and products may cancel."}
    for dim in (0, 1, -1):
        yield Case(f"dim{dim}", inputs=[x, z, np.int64(dim), np.float64(1e-8)], constants=[2, 3], opsets=range(9, 27) if dim == 1 else (9, 13, 26), **tolerance)
    yield Case("broadcast", inputs=[x[0], z, np.int64(1), np.float64(0.5)], constants=[2, 3], opsets=(9, 13, 26), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), z.astype(np.float64), np.int64(1), np.float64(1e-8)], constants=[2, 3], opsets=(9, 13, 26), **tolerance)
