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
