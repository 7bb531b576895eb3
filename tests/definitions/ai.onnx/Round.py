# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Round: the nearest integer, the even one of two that are equally near.

Source: ONNX Round-11.
"""
import numpy as np

from definition import Case

define = np.round


def cases():
    x = np.array([-2.5, -1.5, -0.5, -0.3, 0, 0.3, 0.5, 0.7, 1.5, 2.5, 3.5, 1e9, 8388609.0, np.inf, -np.inf, np.nan, 0.49999997, 4503599.5])
    for dtype in (np.float32, np.float64):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype)])
    yield Case("float16", inputs=[np.float16([-2.5, -0.5, 0.3, 0.5, 1.5, 2.5, 1023.5, np.inf, np.nan])])
    yield Case("empty", inputs=[np.zeros((0,), np.float32)])
    yield Case("scalar", inputs=[np.float32(2.5)])
