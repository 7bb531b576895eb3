# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::ReduceSumInteger: sums of 8-bit integers along axes, in 32 bits.

Source: ONNX Runtime's contrib operator ReduceSumInteger.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, axes, keepdims):
    wide = np.uint32 if data.dtype == np.uint8 else np.int32
    return data.sum(tuple(axes), keepdims=bool(keepdims), dtype=wide)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        data = numbers.bytes(2, 3, 4, dtype=dtype)
        yield Case(f"keep-{np.dtype(dtype)}", inputs=[data], attributes={"axes": [1], "keepdims": 1})
        yield Case(f"drop-{np.dtype(dtype)}", inputs=[data], attributes={"axes": [0, 2], "keepdims": 0})
