# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GatherND: parts by index in the first dimensions.

Source: ONNX GatherND-11.
"""
import numpy as np

from definition import Case


def define(data, indices, *, batch_dims=0):
    if batch_dims:
        return np.stack([define(part, places, batch_dims=batch_dims - 1) for part, places in zip(data, indices)])
    return data[tuple(np.moveaxis(indices, -1, 0))]


def cases():
    data = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for depth in (1, 2, 3):
        indices = np.int64([[1, 2, 3], [0, -1, 0], [-1, 1, -4]])[:, :depth]
        yield Case(f"depth-{depth}", inputs=[data, indices], shapes="static")
    # Rows of nothing, which have to be told apart only where an index names more than the first dimension.
    nothing = {"shapes": "static", "cannot": {"openvino": "it loses the sizes of an empty tensor"}}
    yield Case("rows-of-nothing", inputs=[data[:, :0], np.int64([[1], [-1], [0]])], **nothing)
    yield Case("rows-of-nothing-of-unknown-sizes", inputs=[data[:, :0], np.int64([[1], [-1], [0]])], **{**nothing, "shapes": ["symbolic", (None, 1)]})
    yield Case("cells-of-nothing", inputs=[data[:, :, :0], np.int64([[1, 0], [-1, 2]])], **nothing)
    yield Case("int64", inputs=[data.astype(np.int64), np.int64([[[0, 1]], [[1, 2]]])], shapes="static")
    words = np.array([f"word {number}" for number in range(24)], object).reshape(2, 3, 4)
    for places in ([[1], [-1], [0]], [[[0, -1]], [[1, 2]]], [[0, 1, 2], [-1, -1, -1]], np.zeros((0, 1))):
        places = np.int64(places)
        yield Case(f"words-{places.shape[-1]}-of-{places.ndim}-{len(places)}", inputs=[words, places], shapes="static")
    for batch_dims, places in ((1, [[1], [-1]]), (1, [[[1, 3], [0, -4]], [[2, 0], [-1, 1]]]), (2, [[[1], [3], [-1]], [[0], [-4], [2]]]), (2, [[[[1], [0]]] * 3] * 2)):
        places = np.int64(places)
        name = f"batch-{batch_dims}-{places.ndim}"
        yield Case(name, inputs=[data, places], attributes={"batch_dims": batch_dims}, written_for=13, shapes="static")
        yield Case(f"{name}-of-unknown-sizes", inputs=[data, places], attributes={"batch_dims": batch_dims}, written_for=13, shapes=["symbolic", (None,) * (places.ndim - 1) + places.shape[-1:]])
