# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::SparseToDense: values at listed places.

Source: the documentation of tf.sparse_to_dense and TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(sparse_indices, output_shape, sparse_values, default_value, validate_indices=1, Tindices=7):
    dense = np.full(tuple(output_shape), default_value)
    places = np.atleast_1d(sparse_indices)
    if places.ndim == 1:
        places = places[:, None]
    for place, value in zip(places, np.broadcast_to(sparse_values, len(places))):
        dense[tuple(place)] = value
    return dense


def cases():
    rows = np.int64([[0, 1], [2, 3], [2, 0]])
    values = np.float32([1, -2, np.nan])
    # Below opset 11 there is no ScatterND, and what takes its place wants ranks and the number of coordinates.
    later = {"opsets": range(11, 27)}
    unknown_rank = {"openvino": "its Broadcast wants a rank"}
    shape = np.int64([3, 4])
    yield Case("matrix", inputs=[rows, shape, values, np.float32(0)], attributes={"validate_indices": 1}, output_shapes=[("a", "b")], cannot=unknown_rank, **later)
    yield Case("static", inputs=[rows, shape, values, np.float32(0)], shapes="static", constants=[1])
    yield Case("one-value", inputs=[rows.astype(np.int32), shape.astype(np.int32), np.float32(7), np.float32(-1)], constants=[1, 3], **later)
    yield Case("vector", inputs=[np.int64([1, 4]), np.int64([6]), np.int64([5, 6]), np.int64(2)], attributes={"validate_indices": 0}, cannot=unknown_rank)
    yield Case("place", inputs=[np.int64(2), np.int64([4]), np.float32(3), np.float32(0)], constants=[1])
    none = [np.zeros((0, 2), np.int64), np.int64([2, 2]), np.zeros(0, np.float32), np.float32(1)]
    yield Case("none", inputs=none, output_shapes=[("a", "b")], cannot=unknown_rank, **later)
    yield Case("old", inputs=[rows, shape, values, np.float32(0)], opsets=[9, 10], refuse="--target-opset 11")
