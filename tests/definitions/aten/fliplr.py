# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::fliplr: as NumPy's.

Source: PyTorch's documentation of torch.fliplr.
"""
import numpy as np

from definition import Case

def define(x):
    return np.fliplr(x)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("rank-3", inputs=[x], also=[[x[:0]], [x[:, :1]]], opsets=range(10, 27))
    yield Case("int64", inputs=[np.arange(6).reshape(2, 3)], opsets=(10, 13, 26))
