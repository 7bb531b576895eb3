# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::leaky_relu: x where it is positive, else x times the slope.

Source: PyTorch's documentation of torch.nn.functional.leaky_relu.
"""
import numpy as np

from definition import Case

def define(x, negative_slope):
    return np.where(x > 0, x, x * np.asarray(negative_slope).astype(x.dtype))


def cases():
    yield Case("float32", inputs=[np.float32([[0, -0.5], [3, -np.inf]]), np.float64(0.01)], constants=[1], rtol=1e-6, why="The runtime may round the product otherwise.")
