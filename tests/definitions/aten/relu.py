# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::relu: the larger one of x and 0.

Source: PyTorch's documentation of torch.relu.
"""
import numpy as np

from definition import Case

def define(x):
    return np.maximum(x, np.float32(0))


def cases():
    yield Case("float32", inputs=[np.float32([0, -0.5, 3, -np.inf, np.inf])], also=[[np.zeros(0, np.float32)]])
