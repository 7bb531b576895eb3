# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Range: start, start + delta … below limit.

Source: ONNX Runtime's contrib operator Range.
"""
import numpy as np

from definition import Case


def define(start, limit, delta=None):
    step = 1 if delta is None else np.reshape(delta, ())
    return np.arange(np.reshape(start, ()), np.reshape(limit, ()), step).astype(start.dtype)


def cases():
    for dtype in (np.float32, np.int64, np.int32):
        yield Case(f"scalars-{np.dtype(dtype)}", inputs=[dtype(1), dtype(11), dtype(2)])
        yield Case(f"lists-{np.dtype(dtype)}", inputs=[np.array([3], dtype), np.array([7], dtype)])
