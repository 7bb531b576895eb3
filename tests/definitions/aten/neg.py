# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::neg: -x.

Source: PyTorch's documentation of torch.neg.
"""
import numpy as np

from definition import Case

def define(x):
    return -x


def cases():
    yield Case("float32", inputs=[np.float32([0, -0.5, 3, np.nan, -np.inf])], also=[[np.zeros(0, np.float32)]])
    yield Case("int64", inputs=[np.array([0, -3, 5])], opsets=(9, 13, 26))
