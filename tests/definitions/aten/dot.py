# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::dot: the sum of the products of two vectors.

Source: PyTorch's documentation of torch.dot.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.asarray(np.matmul(x.astype(np.float64), other), x.dtype)


def cases():
    random = np.random.default_rng(0)
    yield Case("float32", inputs=[random.standard_normal((4,)).astype(np.float32), random.standard_normal((4,)).astype(np.float32)], rtol=1e-5, atol=1e-6, why="The runtime sums in another order.")
