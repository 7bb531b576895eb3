# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatherPacked: rows of a table of packed blocks; an index that is outside means the first row.

Source: ONNX Runtime's contrib operator GatherPacked.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_blocks = definition_of("onnx_lower", "UnpackedBlocks")


def define(data, indices, packed_type, K, output_dtype):
    inside = np.where((indices >= 0) & (indices < len(data)), indices, 0)
    return _blocks.define(data, packed_type, K)[inside].astype({1: np.float32, 10: np.float16}[output_dtype])


def cases():
    numbers = _random.Numbers()
    indices = np.int64([[0, 2, -1], [3, 1, 7]])
    for packed_type in (1, 2, 6, 8, 20):
        data = _blocks.packed(numbers, packed_type, 4, 64)
        attributes = {"packed_type": packed_type, "K": 64, "output_dtype": 1}
        yield Case(f"type-{packed_type}", inputs=[data, indices], attributes=attributes, constants=[0], also=[[data, indices[:0]]], rtol=1e-6, why="products of float")
    half = {"packed_type": 8, "K": 64, "output_dtype": 10}
    data = _blocks.packed(numbers, 8, 4, 64)
    yield Case("half", inputs=[data, np.int32(2)], attributes=half, rtol=1e-3, atol=1e-4, why="the result is rounded to half precision")
    yield Case("six-bits", inputs=[data, indices], attributes=half | {"packed_type": 14}, opsets=(18,), refuse="packed_type is 14")
