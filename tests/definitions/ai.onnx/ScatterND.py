# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ScatterND: elements or slices at given places, combined with what is there.

Source: ONNX ScatterND-18.
"""
import numpy as np

from definition import Case

COMBINED = {"none": lambda old, new: new, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def define(data, indices, updates, *, reduction="none"):
    result = data.copy()
    for place in np.ndindex(indices.shape[:-1]):
        at = tuple(int(index) for index in indices[place])
        result[at] = COMBINED[reduction](result[at], updates[place])
    return result


def cases():
    random = np.random.default_rng(11)
    for reduction in ("add", "mul", "max", "min"):
        opsets = range(11, 16 if reduction in ("add", "mul") else 18)
        for dtype in (np.float32, np.int64, np.float64, np.int32):
            data = (random.normal(size=(4, 3, 2)) * 10).astype(dtype)
            places, slices = np.int64([[1], [3], [1]]), (random.normal(size=(3, 3, 2)) * 10).astype(dtype)
            yield Case(f"{reduction}-slices-{np.dtype(dtype)}", inputs=[data, places, slices], attributes={"reduction": reduction}, shapes=[(None,) * 3, (None, 1), (None,) * 3],
                       output_shapes=[(None,) * 3], written_for=18, opsets=opsets)
        data = random.normal(size=(4, 3, 2)).astype(np.float32)
        shapes = [(None,) * 3, (None, None, 3), (None, None)]
        places = np.int64([[[0, 1, 1], [0, 1, 1]], [[-1, 2, 0], [3, 0, 1]]])
        yield Case(f"{reduction}-elements", inputs=[data, places, random.normal(size=(2, 2)).astype(np.float32)], attributes={"reduction": reduction}, shapes=shapes, output_shapes=[(None,) * 3],
                   written_for=18, opsets=opsets)
        yield Case(f"{reduction}-static", inputs=[data, places, random.normal(size=(2, 2)).astype(np.float32)], attributes={"reduction": reduction}, written_for=18,
                   opsets=opsets, shapes="static")
        yield Case(f"{reduction}-below-11", inputs=[data, places, random.normal(size=(2, 2)).astype(np.float32)], attributes={"reduction": reduction}, written_for=18,
                   opsets=[9, 10], shapes="static")
    for dtype in (np.float32, np.int64, np.float64, np.int32):
        data = (random.normal(size=(4, 3, 2)) * 10).astype(dtype)
        yield Case(f"slices-{np.dtype(dtype)}", inputs=[data, np.int64([[1], [-1], [0]]), (random.normal(size=(3, 3, 2)) * 10).astype(dtype)], written_for=13,
                   shapes=["symbolic", (None, 1), "symbolic"])
        yield Case(f"rows-{np.dtype(dtype)}", inputs=[data, np.int64([[[1, 2], [-1, 0]]]), (random.normal(size=(1, 2, 2)) * 10).astype(dtype)], written_for=13, shapes="static")
        yield Case(f"elements-{np.dtype(dtype)}", inputs=[data, np.int64([[0, 1, 1], [-1, 2, -2]]), np.array([7, 8], dtype)], written_for=13, shapes=["symbolic", (None, 3), "symbolic"])
    yield Case("of-unknown-depth", inputs=[data, np.int64([[1]]), data[:1]], written_for=13, opsets=[9], refuse="dimension")
