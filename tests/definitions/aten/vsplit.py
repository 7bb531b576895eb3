# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::vsplit: a tensor taken apart along one dimension.

Source: PyTorch's documentation of torch.vsplit.
"""
import numpy as np

from definition import Case, Tensors


def define(x, sections):
    return Tensors(np.split(x, int(sections) if sections.ndim == 0 else sections, 0))


def cases():
    x = np.arange(64, dtype=np.float32).reshape(4, 4, 4)
    yield Case("equal", inputs=[x, np.int64(2)], constants=[1], opsets=range(11, 27), shapes="static")
    yield Case("unknown", inputs=[x, np.int64(2)], constants=[1], opsets=(11, 13, 26))
    yield Case("indices", inputs=[x, np.int64([1, 3])], constants=[1], opsets=(11, 13, 26), shapes="static")
