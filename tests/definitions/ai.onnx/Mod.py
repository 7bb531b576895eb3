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
    # Every bit pattern, so that quotients have up to 277 bits.
    random = np.random.default_rng(40)
    for dtype, bits in ((np.float32, np.uint32), (np.float16, np.uint16)):
        a, b = random.integers(0, np.iinfo(bits).max, (2, 500), dtype=bits, endpoint=True).view(dtype)
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 3, np.finfo(dtype).max, -np.finfo(dtype).smallest_subnormal], dtype)
        rows, columns = (every.ravel() for every in np.meshgrid(special, special))
        yield Case(f"fmod-large-quotients-{np.dtype(dtype)}", inputs=[np.concatenate([a, rows]), np.concatenate([b, columns])],
                   attributes={"fmod": 1}, opsets=range(7, 27), cannot={"openvino": "it computes double in single precision"},
                   also=[[a[:1], b], [a[:0], b[:1]], [a, b[:1]]])
    # OpenVINO runs it, too, in single precision.
    yield Case("fmod-small-float32", inputs=[np.float32([[7, -7, 6.5, 100, 0]]), np.float32([[3], [-3], [0.25]])], attributes={"fmod": 1}, opsets=(9,))
    yield Case("fmod-numbers-float32", inputs=[np.float32(1e30), np.float32(-3)], attributes={"fmod": 1}, opsets=range(7, 27),
               cannot={"openvino": "it computes double in single precision"})
    far = np.uint64([2**64 - 1, 2**63 + 5, 2**64 - 2, 7]), np.uint64([3, 2**63, 2**63 + 1, 2**64 - 1])
    yield Case("uint64-far-from-zero", inputs=[*far], opsets=range(7, 27), cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    # From 10 on it is the node itself, of which ONNX Runtime's kernel computes uint64 and int64 in double.
    yield Case("fmod-uint64-far-from-zero", inputs=[*far], attributes={"fmod": 1}, opsets=(7, 8, 9),
               cannot={"openvino": "it computes 64-bit integers in 32 bits"})
