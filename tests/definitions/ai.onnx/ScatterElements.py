# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ScatterElements: a copy with some elements replaced, without reduction.

Source: ONNX ScatterElements-11.
"""
import numpy as np

from definition import Case


def define(data, indices, updates, *, axis=0, reduction="none"):
    result = data.copy()
    np.put_along_axis(result, indices, updates, axis)
    return result


def cases():
    data = np.zeros((3, 3), np.float32)
    indices, updates = np.int64([[1, 0, 2], [0, 2, 1]]), np.float32([[1, 2, 3], [4, 5, 6]])
    yield Case("axis-0", inputs=[data, indices, updates])
    yield Case("axis-1", inputs=[data, np.int64([[1, 2], [0, 1], [2, 0]]), np.float32([[1, 2], [3, 4], [5, 6]])], attributes={"axis": 1})
    yield from reductions()


COMBINED = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def combined(data, indices, updates, *, axis=0, reduction):
    result = data.copy()
    for place in np.ndindex(indices.shape):
        at = list(place)
        at[axis] = int(indices[place])
        result[tuple(at)] = COMBINED[reduction](result[tuple(at)], updates[place])
    return result


def reductions():
    random = np.random.default_rng(12)
    for reduction in COMBINED:
        opsets = range(9, 16 if reduction in ("add", "mul") else 18)
        for dtype in (np.float32, np.int64, np.int32):
            data, updates = (random.normal(size=(3, 4, 2)) * 10).astype(dtype), (random.normal(size=(2, 3, 2)) * 10).astype(dtype)
            for axis in (0, 1, -1):
                indices = random.integers(0, data.shape[axis], updates.shape)
                attributes = {"axis": axis, "reduction": reduction}
                yield Case(f"{reduction}-{axis}-{np.dtype(dtype)}", inputs=[data, indices, updates], attributes=attributes, define=combined, written_for=18, opsets=opsets)
        data, indices = random.normal(size=(5,)).astype(np.float32), np.int32([1, 1, 1, -1])
        yield Case(f"{reduction}-same-places", inputs=[data, indices, np.float32([2, 3, -4, 5])], attributes={"reduction": reduction}, define=combined, shapes="static",
                   written_for=18, opsets=opsets)
