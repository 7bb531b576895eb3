# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatherND: slices of data at index tuples of any integer type.

Source: ONNX Runtime's contrib operator GatherND.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, indices):
    return data[tuple(np.moveaxis(indices, -1, 0))]


def cases():
    numbers = _random.Numbers()
    data = numbers.floats(2, 3, 4)
    newer = {"opsets": range(11, 27), "shapes": "static"}  # ONNX has GatherND since opset 11
    for dtype in (np.int32, np.int64):
        yield Case(f"rows-{np.dtype(dtype)}", inputs=[data, np.array([[0, 2], [1, 0]], dtype)], **newer)
        yield Case(f"elements-{np.dtype(dtype)}", inputs=[data, np.array([[[0, 2, 1]], [[1, 0, 3]]], dtype)], **newer)
