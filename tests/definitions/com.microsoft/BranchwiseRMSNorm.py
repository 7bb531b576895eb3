# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BranchwiseRMSNorm: branches divided by the root of their mean square and scaled.

Source: ONNX Runtime's contrib operator BranchwiseRMSNorm.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale=None, epsilon=1e-5, num_branches=0):
    branches = x.astype(np.float64).reshape(*x.shape[:-1], num_branches, -1) if num_branches else x.astype(np.float64)
    y = branches / np.sqrt((branches**2).mean(-1, keepdims=True) + epsilon)
    if scale is not None:
        y = y * (scale if scale.size == branches.shape[-1] else scale.reshape(branches.shape[-2:])).astype(np.float64)
    return y.reshape(x.shape).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    near = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY, "shapes": "static"}
    x, row = numbers.floats(2, 5, 3, 4), numbers.floats(2, 5, 12)
    yield Case("plain", inputs=[x], attributes={"epsilon": 0.5}, **{**near, "shapes": "symbolic"})
    yield Case("row", inputs=[row], attributes={"num_branches": 3}, **{**near, "shapes": "symbolic"})
    for name, scale in (("all", numbers.floats(12)), ("matrix", numbers.floats(3, 4)), ("shared", numbers.floats(4))):
        yield Case(f"scale-{name}", inputs=[x, scale], **near)
        yield Case(f"row-scale-{name}", inputs=[row, scale], attributes={"num_branches": 3}, **near)
    half = [row.astype(np.float16), numbers.floats(12, dtype=np.float16)]
    yield Case("half", inputs=half, attributes={"num_branches": 3}, shapes="static", rtol=2e-3, atol=1e-3, why="the result is rounded to half precision")
