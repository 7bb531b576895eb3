# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Of a batch of sequences, the tokens that stand in a list without padding.

Source: its own definition, in rules/onnx_lower/PaddingRemoved.onnxtxt.
"""
import numpy as np

from definition import Case, definition_of

token_offset = definition_of("com.microsoft", "_packing").token_offset


def define(padded, offsets, packed):
    return padded.reshape(-1, padded.shape[2])[offsets.ravel()[: len(packed)]]


def cases():
    x = np.arange(30, dtype=np.float32).reshape(3, 5, 2)
    for name, counts in (("ragged", [1, 4, 2]), ("full", [5, 5, 5]), ("none", [0, 0, 0])):
        yield Case(name, inputs=[x, token_offset(counts, 5), np.zeros((sum(counts), 7), np.float32)])
    yield Case("static", inputs=[x, token_offset([1, 4, 2], 5), np.zeros((7, 7), np.float32)], shapes="static")
