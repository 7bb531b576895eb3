# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::div: x / other.

Source: PyTorch's documentation of torch.div.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")


def define(x, other):
    kind = x.dtype if x.dtype == other.dtype or other.ndim == 0 else np.result_type(x, other)
    if kind.kind == 'i':
        kind = np.dtype(np.float32)
    return (x.astype(kind) / other.astype(kind)).astype(kind)


def cases():
    x, other = np.float32([[1, -2, 0.5], [np.nan, 3, np.inf]]), np.float32([2, 3, -7])
    tolerance = {"rtol": 1e-6, "why": "The runtime may multiply by the reciprocal."}
    yield Case("plain", inputs=[x, other], **tolerance)
    yield Case("number", inputs=[x, np.float64(1.5)], constants=[1], opsets=(9, 12, 15, 26), **tolerance)
    yield Case("negative-number", inputs=[np.uint8([1, 7, 255]), np.int64(-2)], constants=[1], opsets=(9, 12, 15, 26), expected=[np.float32([-0.5, -3.5, -127.5])])
    yield Case("int64", inputs=[np.array([1, 2, 3]), np.array([4, 5, -6])], opsets=(9, 12, 15, 26), **tolerance)
