# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::vdot: the sum of products of two vectors.

Source: PyTorch's documentation of torch.vdot.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.vdot(x, other).astype(np.result_type(x, other))


def cases():
    x, other = np.float32([1, -2, 3]), np.float32([4, 5, 0.5])
    yield Case("float32", inputs=[x, other])
    yield Case("float64", inputs=[x.astype(np.float64), other.astype(np.float64)], opsets=(9, 15, 26))
