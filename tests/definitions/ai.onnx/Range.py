# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Range: start, start + delta, … up to but without limit.

Source: ONNX Range-11.
"""
import numpy as np

from definition import Case


def define(start, limit, delta):
    if start.dtype.kind == "i":
        return np.array(range(int(start), int(limit), int(delta)), start.dtype)
    count = max(int(np.ceil((np.float64(limit) - np.float64(start)) / np.float64(delta))), 0)
    return (start + np.arange(count).astype(start.dtype) * delta).astype(start.dtype)


def cases():
    for dtype in (np.int16, np.int32, np.int64, np.float32, np.float64):
        more = [[np.array(values, dtype) for values in triple] for triple in ((10, 0, -3), (5, 5, 1), (5, 1, 1), (0, 1, 5), (-4, 4, 2))]
        yield Case(f"{np.dtype(dtype)}", inputs=[dtype(1), dtype(9), dtype(3)], also=more, cannot={"openvino": "its Range is not empty where the limit lies behind the start"})
    yield Case("fraction", inputs=[np.float32(0), np.float32(1), np.float32(0.25)])
    yield Case("float64-of-many-digits", inputs=[np.float64(2**53), np.float64(2**53 + 8), np.float64(2)], also=[[np.float64(1e100), np.float64(3e100), np.float64(1e100)], [np.float64(0), np.float64(1e-100), np.float64(3e-101)]], cannot={"openvino": "it computes double as float"})
    # From 11 on it is the node itself, of which ONNX Runtime's kernel counts the elements in double.
    for values in ((2**63 - 20, 2**63 - 1, 3), (0, 2**62 + 1, 2**62), (0, -(2**62) - 1, -(2**61)), (2**62, 2**62 + 7, -1), (2**53, 2**53 + 3, 2)):
        far = [np.int64(value) for value in values]
        yield Case(f"far-from-zero-{values[0] % 997}-{values[2] % 997}", inputs=far, opsets=(7, 8, 9, 10), written_for=13,
                   cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("int32-far-from-zero", inputs=[np.int32(-(2**31)), np.int32(2**31 - 1), np.int32(2**30)], opsets=(7, 8, 9, 10), written_for=13,
               cannot={"openvino": "it computes 64-bit integers in 32 bits"})
