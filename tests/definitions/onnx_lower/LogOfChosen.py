# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The logarithms of the numbers of the highest ranks in each row.

Source: its own definition, in rules/onnx_lower/LogOfChosen.onnxtxt.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(ranks, x, like, count, rest):
    y = np.full(x.shape, rest)
    for row, best in enumerate(np.argsort(-ranks, -1, kind="stable")[:, :count]):
        y[row, best] = np.log(np.maximum(x[row, best].astype(float), 1e-20))
    return y.astype(like.dtype)


def cases():
    numbers = _random.Numbers()
    x = numbers.positive(3, 5)
    x[0, 1] = 0
    ranks = numbers.floats(3, 5)
    ranks[0, 1] = 9
    for dtype in (np.float32, np.float16):
        yield Case(f"{np.dtype(dtype)}", inputs=[ranks, x, dtype(0)], attributes={"count": 2, "rest": -7.5}, rtol=1e-3, atol=1e-5, why=_random.FLOAT_WHY)
