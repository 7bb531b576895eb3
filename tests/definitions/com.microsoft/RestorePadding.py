# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::RestorePadding: tokens put back in their places in a batch of sequences, with zeros in the others.

Source: ONNX Runtime's contrib operator RestorePadding, which has a kernel for CUDA only.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
define = definition_of("com.microsoft", "_packing").padded
token_offset = definition_of("com.microsoft", "_packing").token_offset


def cases():
    numbers = _random.Numbers()
    opsets = {"opsets": range(11, 27)}  # ScatterND
    for name, counts, length in (("ragged", [1, 4, 2], 5), ("full", [3, 3], 3), ("single", [2], 4), ("empty-sequence", [0, 2], 3)):
        yield Case(name, inputs=[numbers.floats(sum(counts), 6), token_offset(counts, length)], **opsets)
    yield Case("half", inputs=[numbers.floats(4, 6, dtype=np.float16), token_offset([3, 1], 3)], shapes="unranked", **opsets)
