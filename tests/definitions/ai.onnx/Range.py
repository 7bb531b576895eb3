# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Range: start, start + delta, … up to but without limit.

Source: ONNX Range-11.
"""
import numpy as np

from definition import Case


def define(start, limit, delta):
    count = max(int(np.ceil((np.float64(limit) - np.float64(start)) / np.float64(delta))), 0)
    return (start + np.arange(count).astype(start.dtype) * delta).astype(start.dtype)


def cases():
    for dtype in (np.int16, np.int32, np.int64, np.float32, np.float64):
        more = [[np.array(values, dtype) for values in triple] for triple in ((10, 0, -3), (5, 5, 1), (5, 1, 1), (0, 1, 5), (-4, 4, 2))]
        yield Case(f"{np.dtype(dtype)}", inputs=[dtype(1), dtype(9), dtype(3)], also=more, cannot={"openvino": "its Range is not empty where the limit lies behind the start"})
    yield Case("fraction", inputs=[np.float32(0), np.float32(1), np.float32(0.25)])
    # A double holds 53 bits.
    large = [np.int64([2**53, 2**53 + 3, 1]), np.int64([2**62, -(2**62) + 1, -(2**60)]), np.int64([0, 1, 2**63 - 1]), np.int64([0, -1, 5]), np.int64([0, 2**60 + 1, 2**60])]
    yield Case("int64-of-many-digits", inputs=list(large[0]), also=[list(numbers) for numbers in large[1:]], define=steps, opsets=range(9, 11), cannot={"openvino": "it divides integers in single precision"})
    wide = [np.int32([-(2**31), 2**31 - 1, 2**30]), np.int32([2**31 - 1, -(2**31), -(2**31)])]
    yield Case("int32-from-end-to-end", inputs=list(wide[0]), also=[list(wide[1])], define=steps, opsets=range(9, 11), cannot={"openvino": "it divides integers in single precision"})
    yield Case("float64-of-many-digits", inputs=[np.float64(2**53), np.float64(2**53 + 8), np.float64(2)], also=[[np.float64(1e100), np.float64(3e100), np.float64(1e100)], [np.float64(0), np.float64(1e-100), np.float64(3e-101)]], cannot={"openvino": "it computes double as float"})


def steps(start, limit, delta):
    return np.array(range(int(start), int(limit), int(delta)), start.dtype)
