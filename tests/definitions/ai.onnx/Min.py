# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Min: the least of its inputs, element by element.

Source: ONNX Min-12.
"""
import functools

import numpy as np

from definition import Case


def define(*values):
    return functools.reduce(np.minimum, values)


def cases():
    for dtype in (np.int32, np.int64, np.float32):
        a, b = np.array([[1, -5, 3]], dtype), np.array([[2], [-7]], dtype)
        yield Case(f"two-{np.dtype(dtype)}", inputs=[a, b], written_for=13)
        yield Case(f"three-{np.dtype(dtype)}", inputs=[a, b, dtype(0)], written_for=13)
        yield Case(f"one-{np.dtype(dtype)}", inputs=[a], written_for=13, opsets=range(12, 27) if dtype != np.float32 else range(9, 27))
