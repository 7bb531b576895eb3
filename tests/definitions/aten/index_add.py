# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index_add: slices added to those whose numbers an index says.

Source: PyTorch's documentation of torch.Tensor.index_add_.
"""
import numpy as np

from definition import Case


def define(x, dim, index, source, alpha=1):
    y = np.moveaxis(x.copy(), int(dim), 0)
    np.add.at(y, index, (alpha * np.moveaxis(source, int(dim), 0)).astype(x.dtype))
    return np.moveaxis(y, 0, int(dim))


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("middle", inputs=[x, np.int64(1), np.array([2, 2]), x[:, :2] + 1], constants=[1], opsets=(11, 13, 16, 18, 26))
    yield Case("times-alpha", inputs=[x, np.int64(-1), np.array([1, 3]), x[:, :, :2] + 1, np.float32(-2)], constants=[1, 4], opsets=(11, 13, 18, 26))
