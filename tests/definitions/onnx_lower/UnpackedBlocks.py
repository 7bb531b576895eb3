# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers of blocks as ggml packs them.

Source: ggml's formats F16, Q4_0, Q5_0, Q8_0 and IQ4_NL.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
BLOCK_BYTES = {2: 18, 6: 22, 8: 34, 20: 18}
TABLE = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113])


def block_of(packed_type, block):
    """The 32 numbers of one block."""
    scale = block[:2].copy().view(np.float16).astype(float)
    if packed_type == 8:
        return scale * block[2:].view(np.int8)
    codes = [int(byte) & 15 for byte in block[-16:]] + [int(byte) >> 4 for byte in block[-16:]]
    if packed_type == 2:
        return scale * (np.array(codes) - 8)
    if packed_type == 20:
        return scale * TABLE[codes]
    fifth = int.from_bytes(bytes(block[2:6]), "little")
    return scale * np.array([code + 16 * (fifth >> place & 1) - 16 for place, code in enumerate(codes)])


def define(rows, packed_type, K):
    if packed_type == 1:
        return rows.copy().view(np.float16).astype(np.float32)
    blocks = rows.reshape(-1, BLOCK_BYTES[packed_type])
    return np.array([block_of(packed_type, block) for block in blocks], np.float32).reshape(len(rows), K)


def packed(numbers, packed_type, rows, k):
    """Rows of blocks whose numbers of half precision are small."""
    if packed_type == 1:
        return numbers.floats(rows, k, dtype=np.float16).view(np.uint8)
    blocks = numbers.bytes(rows, k // 32, BLOCK_BYTES[packed_type])
    blocks[..., :2] = (numbers.floats(rows, k // 32, 1) / 16).astype(np.float16).view(np.uint8)
    return blocks.reshape(rows, -1)


def cases():
    numbers = _random.Numbers()
    for packed_type in (1, 2, 6, 8, 20):
        rows = packed(numbers, packed_type, 3, 64)
        yield Case(f"type-{packed_type}", inputs=[rows], attributes={"packed_type": packed_type, "K": 64}, rtol=1e-6, why="products of float", also=[[rows[:0]]])
