# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::IsNaN.

Source: ONNX IsNaN-9.
"""
import numpy as np

from definition import Case

define = np.isnan


def cases():
    x = np.array([[-np.inf, -1, 0, 1, np.inf, np.nan, 0.5]])
    for dtype in (np.float32, np.float64, np.float16):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype)], opsets=range(8, 27))
