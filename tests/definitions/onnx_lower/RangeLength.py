# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many numbers a Range of integers has.

Source: its own definition, in rules/onnx_lower/RangeLength.onnxtxt; Python's range.
"""
import numpy as np

from definition import Case


def define(start, limit, delta):
    return np.int64(len(range(int(start), int(limit), int(delta))))


def cases():
    for dtype in (np.int32, np.int64):
        inputs = [[dtype(value) for value in values] for values in ((1, 9, 3), (10, 0, -3), (5, 5, 1), (5, 1, 1), (0, 1, 5), (0, -1, 3), (0, 1, -3), (-4, 4, 2))]
        yield Case(f"{np.dtype(dtype)}", inputs=inputs[0], also=inputs[1:], opsets=range(7, 27))
    yield Case("far-from-zero", inputs=[np.int64(2**62), np.int64(-(2**62) + 1), np.int64(-(2**31) - 1)], opsets=range(7, 27),
               cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    for limit in (9, 1, -2):
        yield Case(f"step-1-to{limit}", inputs=[np.int64(1), np.int64(limit), np.int64(1)], constants=[2], opsets=range(7, 27))
