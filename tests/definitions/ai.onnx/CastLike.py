# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CastLike: the first input in the type of the second.

Source: ONNX CastLike-15.
"""
import numpy as np

from definition import Case


def define(value, target, saturate=1):
    return value.astype(target.dtype)


def cases():
    numbers = np.float32([-1.5, 0, 2.75, 1e3])
    for dtype in (np.float16, np.float64, np.int64, np.int32, np.bool_):
        yield Case(f"to-{np.dtype(dtype)}", inputs=[numbers, np.zeros(2, dtype)])
    yield Case("from-int64", inputs=[np.int64([1, -2]), np.float32(0)])
    yield Case("unranked", inputs=[numbers, np.float64(1)], shapes="unranked")
    yield Case("empty", inputs=[np.zeros((0, 2), np.float32), np.float64(1)])
    yield Case("saturate", inputs=[numbers, np.float64(1)], attributes={"saturate": 1}, written_for=19)
