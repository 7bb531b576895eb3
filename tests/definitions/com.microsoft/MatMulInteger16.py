# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulInteger16: the product of matrices of 16-bit integers, in 32 bits.

Source: ONNX Runtime's contrib operator MatMulInteger16.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(a, b):
    return (a.astype(np.int64) @ b.astype(np.int64)).astype(np.uint32 if a.dtype == b.dtype == np.uint16 else np.int32)


def cases():
    numbers = _random.Numbers()
    whole = {"opsets": range(9, 27)}
    for left, right in ((np.int16, np.int16), (np.uint16, np.int16), (np.uint16, np.uint16)):
        a = numbers.integers(0 if left == np.uint16 else -900, 900, 2, 3, 4, dtype=left)
        b = numbers.integers(0 if right == np.uint16 else -900, 900, 4, 5, dtype=right)
        yield Case(f"{np.dtype(left)}-{np.dtype(right)}", inputs=[a, b], **whole)
