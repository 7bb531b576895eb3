# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Mod: the remainder of a division, with the divisor's sign or (fmod) with the dividend's.

Source: ONNX Mod-10, Mod-28.
"""
import numpy as np

from definition import Case


def define(a, b, fmod=0):
    if not fmod and np.issubdtype(a.dtype, np.floating):
        rest = np.fmod(a, b)
        return np.where((rest != 0) & ((rest < 0) != (b < 0)), rest + b, rest)
    return np.fmod(a, b) if fmod else np.mod(a, b)


def cases():
    for dtype in (np.int32, np.int64, np.int8):
        a, b = np.array([[-7, -6, 0, 6, 7, 5, -5, 100]], dtype), np.array([[3], [-3], [7]], dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[a, b])
        yield Case(f"fmod-{np.dtype(dtype)}", inputs=[a, b], attributes={"fmod": 1})
    far = np.int64([2**62 + 7, -(2**62) - 7, 2**62 + 7, -(2**62) - 7]), np.int64([2**61, 2**61, -(2**61), -(2**61)])
    yield Case("int64-far-from-zero", inputs=[*far], cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("uint8", inputs=[np.uint8([7, 255, 0]), np.uint8([4, 9, 3])])
    a = np.array([[-7.5, -6, 0, 6, 7.25, 0.1, 6e4, np.inf, np.nan]])
    b = np.array([[3], [-3], [0.3], [np.inf]])
    for dtype in (np.float32, np.float16):
        yield Case(f"fmod-{np.dtype(dtype)}", inputs=[a.astype(dtype), b.astype(dtype)], attributes={"fmod": 1},
                   cannot={"openvino": "it divides in single precision, and infinities give NaN"})
    a, b = np.array([[-7.5, -6, 0, 6, 7.25, np.inf, np.nan]]), np.array([[3], [-3], [0.25], [np.inf], [-np.inf], [0]])
    for dtype in (np.float32, np.float64, np.float16):
        yield Case(f"floored-{np.dtype(dtype)}", inputs=[a.astype(dtype), b.astype(dtype)], written_for=28,
                   opsets=range(9 if dtype != np.float64 else 10, 27), cannot={"openvino": "infinities give NaN"})
    yield Case("int32-28", inputs=[np.int32([-7, 7]), np.int32([3, -3])], written_for=28)
