# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::OneHot: one of two values by index; below 11 a negative index is out of range, from 11 on it counts from the end.

Source: ONNX OneHot-9, OneHot-11.
"""
import numpy as np

from definition import Case


def define(indices, depth, values, *, axis=-1):
    depth = int(np.ravel(depth)[0])
    places = np.where(indices < 0, indices + depth, indices)
    return at(places, depth, values, axis)


def at(places, depth, values, axis):
    shape = [1] * (places.ndim + 1)
    shape[axis] = depth
    hits = np.expand_dims(places, axis) == np.arange(depth).reshape(shape)
    return np.where(hits, values[1], values[0]).astype(values.dtype)


def define_at_9(indices, depth, values, *, axis=-1):
    return at(indices, int(np.ravel(depth)[0]), values, axis)


def cases():
    depth = {"openvino": "it wants the depth to be a constant"}
    for dtype in (np.int64, np.float32):
        indices = np.array([[0, 2, -1], [1, 5, -7]], dtype)
        inputs = [indices, dtype(4), np.float32([0, 1])]
        yield Case(f"11-{np.dtype(dtype)}", inputs=inputs, written_for=11, cannot=depth)
        yield Case(f"9-{np.dtype(dtype)}", inputs=inputs, written_for=9, opsets=range(11, 27), define=define_at_9, cannot=depth)
    yield Case("axis", inputs=[np.int64([[0, 2, -1]]), np.int64([3]), np.float32([5, 7])], attributes={"axis": 0}, written_for=11, cannot=depth)
