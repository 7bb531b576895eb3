# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""DynamicSlice: Slice with starts, ends and axes as inputs.

Source: an experimental operator of ONNX before 1.5, which ONNX Runtime kept.
"""
import numpy as np

from definition import Case

def define(data, starts, ends, axes=None):
    slices = [slice(None)] * data.ndim
    for axis, start, end in zip(range(data.ndim) if axes is None else axes, starts, ends):
        slices[axis] = slice(start, end)
    return data[tuple(slices)]


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    bounds = [np.int64([1, 0]), np.int64([3, -1])]
    yield Case("axes", inputs=[x, *bounds, np.int64([2, 3])], opsets=range(10, 27))
    yield Case("all", inputs=[x[0, 0], *bounds], opsets=range(10, 27))
    yield Case("constants", inputs=[x, *bounds, np.int64([2, 3])], constants=[1, 2, 3])
