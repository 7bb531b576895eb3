# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MurmurHash3: hashes of integers.

Source: MurmurHash3_x86_32 by Austin Appleby, and ONNX Runtime's contrib_ops/cpu/murmur_hash3.cc.
"""
import numpy as np

from definition import Case, definition_of

ALL = 2**32 - 1
step = definition_of("onnx_lower", "MixedInto32Bits").step


def hashed(data, seed):
    state = seed & ALL
    for place in range(0, len(data), 4):
        state = step(state, int.from_bytes(data[place : place + 4], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & ALL
    state = (state ^ state >> 13) * 0xC2B2AE35 & ALL
    return state ^ state >> 16


def define(X, positive=1, seed=0):
    flat = np.array([hashed(number.tobytes(), seed) for number in X.ravel()], np.uint32).reshape(X.shape)
    return flat if positive else flat.view(np.int32)


def cases():
    limited = {"openvino": "it computes integers of 64 bits in 32"}
    for dtype in (np.int32, np.uint32, np.int64, np.uint64):
        info = np.iinfo(dtype)
        x = np.array([[0, 1, 3], [info.max, info.min, info.max // 3]], dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[x], cannot=limited)
        yield Case(f"{np.dtype(dtype)}-signed", inputs=[x], attributes={"positive": 0, "seed": 42}, cannot=limited)
    yield Case("known", inputs=[np.int32([3])], attributes={"positive": 0}, expected=[np.int32([847579505])], cannot=limited)
    yield Case("float", inputs=[np.float32([1])], refuse="dtype(X) is float")
