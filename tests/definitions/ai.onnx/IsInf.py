# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::IsInf: infinite, of one sign or of either.

Source: ONNX IsInf-10.
"""
import numpy as np

from definition import Case


def define(x, detect_negative=1, detect_positive=1):
    return (np.isposinf(x) & bool(detect_positive)) | (np.isneginf(x) & bool(detect_negative))


def cases():
    x = np.array([[-np.inf, -1, 0, 1, np.inf, np.nan, 6e4, -6e4]])
    great = np.array([3.4e38, -3.4e38, np.inf])
    for dtype in (np.float32, np.float64):
        for negative in (0, 1):
            for positive in (0, 1):
                yield Case(f"{np.dtype(dtype)}-{negative}-{positive}", inputs=[x.astype(dtype)], also=[[great.reshape(1, 3).astype(dtype)]],
                           attributes={"detect_negative": negative, "detect_positive": positive})
    yield Case("float16", inputs=[x.astype(np.float16)], written_for=20)
    yield Case("default", inputs=[x.astype(np.float32)])
