# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::UnfoldTensor: all slices of a size along a dimension, stacked along a new last one.

Source: ONNX Runtime's contrib operator UnfoldTensor.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, size, step=1, dim=-1):
    windows = np.lib.stride_tricks.sliding_window_view(x, size, axis=dim)
    return np.take(windows, range(0, windows.shape[dim if dim >= 0 else dim - 1], step), axis=dim if dim >= 0 else dim - 1)


def cases():
    numbers = _random.Numbers()
    yield Case("last", inputs=[numbers.floats(2, 10)], attributes={"size": 3, "step": 3})
    yield Case("middle", inputs=[numbers.floats(2, 10, 3)], attributes={"dim": 1, "size": 4, "step": 2})
    yield Case("first", inputs=[numbers.floats(5, 2)], attributes={"dim": -2, "size": 2})
