# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::to: another element type, by torch's number.

Source: PyTorch's c10::ScalarType.
"""
import numpy as np

from definition import Case

TYPES = {0: np.uint8, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.int64, 5: np.float16, 6: np.float32, 7: np.float64, 11: np.bool_}


def define(x, dtype=None, non_blocking=None, copy=None, memory_format=None):
    return x if dtype is None else x.astype(TYPES[int(dtype)])


def cases():
    for number in TYPES:
        yield Case(f"dtype{number}", inputs=[np.float32([0, 1, 2.5, 100]), np.int64(number), np.bool_(False), np.bool_(False), None], constants=[1, 2, 3], opsets=(9, 13, 26))
    yield Case("none", inputs=[np.float32([1.5]), None], opsets=(9, 13, 26))
    yield Case("complex", inputs=[np.float32([1.5]), np.int64(9)], constants=[1], opsets=(13,), refuse="dtype 9")
