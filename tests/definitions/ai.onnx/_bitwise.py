# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers of all integer types, at which the bitwise operators are tried."""
import numpy as np

from definition import Case

TYPES = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


def numbers(dtype):
    limits = np.iinfo(dtype)
    drawn = np.random.default_rng(5).integers(limits.min, limits.max, 16, dtype, endpoint=True)
    edges = [limits.min, limits.max, limits.max - 1, 0, 1, 5, 0 if limits.min == 0 else -1, limits.max // 3]
    return np.concatenate([drawn, np.array(edges, dtype)])


def cannot(dtype):
    return {"openvino": "it divides integers in single precision"} if np.iinfo(dtype).bits > 16 else {}


def cases():
    for dtype in TYPES:
        a = numbers(dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[a.reshape(1, -1), a.reshape(-1, 1)], written_for=18, cannot=cannot(dtype))
    a = np.int32([[1, -2, 3], [-4, 5, 2**20 - 1]])
    yield Case("scalar", inputs=[a, np.int32(6)], also=[[a[:0], np.int32(6)]], written_for=18)
    yield Case("static", inputs=[a, a[0]], written_for=18, shapes="static")
    yield Case("unranked", inputs=[a, a[0]], also=[[a[:0], a[0]], [a[:, :0], a[:, :0]]], written_for=18, shapes="unranked")
    yield Case("float", inputs=[a.astype(np.float32), a.astype(np.float32)], written_for=18, opsets=[17], refuse="Bitwise")
