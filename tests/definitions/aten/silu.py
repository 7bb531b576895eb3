# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::silu: x times its sigmoid.

Source: PyTorch's documentation of torch.nn.functional.silu.
"""
import numpy as np

from definition import Case

def define(x):
    return (x / (1 + np.exp(-x.astype(np.float64)))).astype(x.dtype)


def cases():
    yield Case("float32", inputs=[np.float32([0, 0.3, -0.7, 2.5, -30, np.nan])], also=[[np.zeros(0, np.float32)]], rtol=4e-6, atol=1e-7, why="The runtime's elementary functions round.")
