# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::mv: the product of a matrix with a vector.

Source: PyTorch's documentation of torch.mv.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.asarray(np.matmul(x.astype(np.float64), other), x.dtype)


def cases():
    random = np.random.default_rng(0)
    yield Case("float32", inputs=[random.standard_normal((3, 4)).astype(np.float32), random.standard_normal((4,)).astype(np.float32)], rtol=1e-5, atol=1e-6, why="The runtime sums in another order.")
