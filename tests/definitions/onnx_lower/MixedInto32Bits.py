# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::MixedInto32Bits: one step of MurmurHash3.

Source: MurmurHash3_x86_32 by Austin Appleby.
"""
import numpy as np

from definition import Case

ALL = 2**32 - 1


def rotated(number, bits):
    return (number << bits | number >> (32 - bits)) & ALL


def step(state, block):
    key = rotated(block * 0xCC9E2D51 & ALL, 15) * 0x1B873593 & ALL
    return (rotated(state ^ key, 13) * 5 + 0xE6546B64) & ALL


def define(hash, block):
    return np.array([step(int(hash), int(number)) for number in block.ravel()], np.int64).reshape(block.shape)


def cases():
    block = np.int64([[0, 1, 2**32 - 1], [2**31, 123456789, 3000000000]])
    for start in (0, 42, 2**32 - 1):
        yield Case(f"{start}", inputs=[np.int64(start), block], cannot={"openvino": "it computes integers of 64 bits in 32"})
