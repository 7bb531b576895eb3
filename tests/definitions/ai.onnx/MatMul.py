# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MatMul: the product of matrices; that of integers wraps.

Source: ONNX MatMul-13, whose reference is NumPy's matmul.
"""
import numpy as np

from definition import Case


def define(a, b):
    with np.errstate(over="ignore"):
        return np.asarray(np.matmul(a, b))


def anything(shape, dtype):
    limits = np.iinfo(dtype)
    return np.random.default_rng([40, *shape]).integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)


def cases():
    # From 9 on it is the node itself.
    old = {"opsets": (7, 8), "written_for": 13, "shapes": "static"}
    for dtype in (np.int32, np.int64, np.uint32, np.uint64):
        for name, left, right in (("matrices", (3, 5), (5, 2)), ("batch", (2, 3, 5), (5, 2)), ("lists", (5,), (5,)), ("row", (5,), (5, 2))):
            yield Case(f"{name}-{np.dtype(dtype)}", inputs=[anything(left, dtype), anything(right, dtype)], **old,
                       cannot={"openvino": "it computes 64-bit integers in 32 bits, and sums of those saturate"})
    odd = np.int64([[2**53 + 1]])
    yield Case("beyond-double", inputs=[odd, np.int64([[3]])], **old, cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("small-int64", inputs=[np.int64([[-3, 4], [5, 6]]), np.int64([[7, -8], [9, 2]])], **old)
