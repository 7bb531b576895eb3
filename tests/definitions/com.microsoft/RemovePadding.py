# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::RemovePadding: the tokens of sequences that have padding at their ends, in one list.

Source: ONNX Runtime's contrib operator RemovePadding, which has a kernel for CUDA only.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_packing = definition_of("com.microsoft", "_packing")


def define(x, counts):
    offsets = _packing.token_offset(counts, x.shape[1])
    tokens = np.concatenate([row[:count] for row, count in zip(x, counts)])
    return tokens, offsets, _packing.cumulated(counts), np.int32([counts.max()])


def cases():
    numbers = _random.Numbers()
    opsets = {"opsets": range(11, 27)}  # CumSum
    for name, counts, length in (("ragged", [1, 4, 2], 5), ("full", [3, 3], 3), ("single", [2], 4), ("empty-sequence", [0, 2], 3)):
        yield Case(name, inputs=[numbers.floats(len(counts), length, 6), np.int32(counts)], **opsets)
    yield Case("half", inputs=[numbers.floats(2, 3, 4, dtype=np.float16), np.int32([3, 1])], shapes="unranked", **opsets)
    yield Case("one-output", inputs=[numbers.floats(2, 3, 4), np.int32([3, 1])], outputs=1, **opsets)
