# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::sub: x - alpha other.

Source: PyTorch's documentation of torch.sub.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")


def define(x, other, alpha=1):
    kind = x.dtype if x.dtype == other.dtype or other.ndim == 0 else np.result_type(x, other)
    return (x.astype(kind) - np.asarray(alpha).astype(kind) * other.astype(kind)).astype(kind)


def cases():
    x, other = np.float32([[1, -2, 0.5], [np.nan, 3, np.inf]]), np.float32([2, 3, -7])
    yield Case("plain", inputs=[x, other])
    for alpha in (np.int64(1), np.float64(0.5)):
        yield Case(f"alpha-{alpha}", inputs=[x, other, alpha], constants=[2], rtol=1e-6, why="The runtime may not round the product.")
    yield Case("number", inputs=[x, np.float64(1.5), np.int64(1)], constants=[1, 2], opsets=(9, 12, 15, 26))
    yield Case("int64", inputs=[np.array([1, 2, 3]), np.array([4, 5, -6]), np.int64(2)], constants=[2], opsets=(9, 12, 15, 26))
