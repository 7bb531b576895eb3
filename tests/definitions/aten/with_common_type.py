# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::with_common_type: two inputs in the type that PyTorch computes with.

Source: PyTorch's documentation of type promotion.
"""
import numpy as np

from definition import Case

def define(a, b, common):
    return a.astype(common), b.astype(common)


PAIRS = [
    (np.float32([1]), np.float64([2]), np.float64),
    (np.float16([1]), np.float32([2]), np.float32),
    (np.int32([1]), np.float16([2]), np.float16),
    (np.uint8([1]), np.int8([2]), np.int16),
    (np.bool_([True]), np.int32([2]), np.int32),
    (np.float32([1]), np.float64(2), np.float32),
    (np.float16([1]), np.float64(2), np.float16),
    (np.int64([1]), np.float64(2), np.float32),
    (np.float64(2), np.int64([1]), np.float32),
    (np.int8([1]), np.int64(2), np.int8),
    (np.int64(1), np.float32(2), np.float32),
]


# A number of Python's is a constant, in double or int64, beside a tensor that may have rank 0.
NUMBERS = [
    (np.float32(1), np.float64(2.5), np.float32),
    (np.float16(1), np.int64(2), np.float16),
    (np.int32(1), np.float64(2.5), np.float32),
    (np.int16(1), np.int64(2), np.int16),
    (np.float64(1), np.int64(2), np.float64),
    (np.float32(1), np.float32(2), np.float32),
]


def cases():
    for number, (a, b, common) in enumerate(NUMBERS):
        yield Case(f"number-{number}", inputs=[a, b], constants=[1], meaning={"common": common}, opsets=(9, 13, 26))
    yield Case("negative-number-in-float", inputs=[np.uint8([1, 7]), np.int64(-1)], constants=[1], attributes={"floating": 1}, meaning={"common": np.float32}, opsets=(9, 13, 26))
    for number, (a, b, common) in enumerate(PAIRS):
        yield Case(f"{number}-{a.dtype}-{b.dtype}", inputs=[a, b], meaning={"common": common}, opsets=(9, 13, 26))
