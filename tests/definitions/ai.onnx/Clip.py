# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Clip: min(max, max(input, min)); NaN stays.

Source: ONNX Clip-6, Clip-11, Clip-13.
"""
import numpy as np

from definition import Case


def define(x, low=None, high=None, **former):
    low, high = former.get("min", low), former.get("max", high)
    if low is not None:
        x = np.where(x < low, np.asarray(low, x.dtype), x)
    if high is not None:
        x = np.where(x > high, np.asarray(high, x.dtype), x)
    return x


def cases():
    nan = {"openvino": "its Clip, Minimum and Maximum do not keep NaN"}
    for dtype in (np.float32, np.float64, np.float16):
        x = np.array([[-np.inf, -2, -1, 0], [0.5, 1, np.inf, np.nan]], dtype)
        low, high = dtype(-1), dtype(0.75)
        name = np.dtype(dtype)
        opsets = [opset for opset in range(9, 27) if opset != 11 or dtype != np.float64]  # ONNX Runtime has no Clip-11 for double
        yield Case(f"both-{name}", inputs=[x, low, high], written_for=13, opsets=opsets, cannot=nan)
        # A limit that is left out is the greatest finite number, in ONNX Runtime even for infinity.
        finite = np.where(np.isinf(x), dtype(0), x)
        yield Case(f"low-{name}", inputs=[finite, low], written_for=13, opsets=opsets, cannot=nan)
        yield Case(f"high-{name}", inputs=[finite, None, high], written_for=13, opsets=opsets, cannot=nan)
    x = np.float32([[-np.inf, -2, -1, 0], [0.5, 1, np.inf, np.nan]])
    yield Case("neither", inputs=[np.where(np.isinf(x), np.float32(0), x)], written_for=13, cannot=nan)
    yield Case("attributes", inputs=[x], attributes={"min": -1.0, "max": 0.75}, written_for=6, cannot=nan)
    yield Case("attribute-max", inputs=[np.float32([-5, 0.5, 2])], attributes={"max": 1.0}, written_for=6)
    yield Case("attributes-double", inputs=[np.float64([-5, 0.5, 2])], attributes={"min": -1.0, "max": 1.0}, written_for=6, opsets=range(12, 27))
    for dtype in (np.int32, np.int64, np.uint8, np.int8):
        x = np.array([0, 3, 100, 7], dtype)
        yield Case(f"both-{np.dtype(dtype)}", inputs=[x, dtype(3), dtype(50)], written_for=13)
    yield Case("low-int64", inputs=[np.int64([-5, 5]), np.int64(0)], written_for=13)
    yield Case("high-int64", inputs=[np.int64([-5, 5]), None, np.int64(0)], written_for=13)
    yield Case("empty", inputs=[np.zeros((0,), np.float32), np.float32(0), np.float32(1)], written_for=13)
    yield Case("neither-double", inputs=[np.float64([1e300, -1e300, 2])], written_for=13, cannot={"openvino": "it computes double as float"})
