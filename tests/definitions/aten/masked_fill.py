# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::masked_fill: a number where a mask is true.

Source: PyTorch's documentation of torch.Tensor.masked_fill_.
"""
import numpy as np

from definition import Case


def define(x, mask, value):
    return np.where(mask, x.dtype.type(value), x)


def cases():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    yield Case("float", inputs=[x, np.array([[True, False, True]]), np.float32(-np.inf)], constants=[2])
    yield Case("integers", inputs=[x.astype(np.int64), x > 2, np.int64(9)], constants=[2], opsets=(9, 13, 26))
