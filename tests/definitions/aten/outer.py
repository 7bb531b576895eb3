# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::outer: all products of the elements of two vectors.

Source: PyTorch's documentation of torch.outer.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.outer(x, other).astype(np.result_type(x, other))


def cases():
    x, other = np.float32([1, -2, 3]), np.float32([4, 5, 0.5])
    yield Case("float32", inputs=[x, other])
    yield Case("float64", inputs=[x.astype(np.float64), other.astype(np.float64)], opsets=(9, 15, 26))
    yield Case("lengths", inputs=[x, other[:2]], also=[[x[:0], other], [x, other[:0]]])
    yield Case("mixed", inputs=[x, other.astype(np.float64)], opsets=(9, 15, 26))
    yield Case("int64", inputs=[x.astype(np.int64), np.arange(4)], opsets=(9, 15, 26))
