# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Inverse: the inverses of square matrices.

Source: ONNX Runtime's contrib operator Inverse.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x):
    return np.linalg.inv(x.astype(np.float64)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    common = {"opsets": range(11, 27), "rtol": 1e-3, "atol": 1e-3, "why": "elimination in float loses digits"}
    for size in (1, 2, 3, 5):
        yield Case(f"size-{size}", inputs=[numbers.floats(2, size, size)], shapes=[("b", size, size)], **common)
    # Without pivoting this would divide by zero.
    swap = np.float32([[0, 2, 0], [0, 0, 4], [1, 0, 0]])
    yield Case("permutation", inputs=[swap], shapes="static", **common)
    yield Case("double", inputs=[numbers.floats(2, 3, 4, 4).astype(np.float64)], shapes="static", opsets=range(11, 27), rtol=1e-9, atol=1e-9,
               why="elimination loses digits", cannot={"openvino": "it computes double as float"})
    yield Case("unknown-size", inputs=[numbers.floats(2, 3, 3)], refuse="the size of the matrices is not known")
