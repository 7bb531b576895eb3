# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Slice: a part of a tensor.

Source: ONNX Slice-1, Slice-10, Slice-13.
"""
import numpy as np

from definition import Case


def define(data, starts=None, ends=None, axes=None, steps=None, **former):
    starts, ends, axes = (former.get(name, value) for name, value in (("starts", starts), ("ends", ends), ("axes", axes)))
    places = [slice(None)] * data.ndim
    for i, axis in enumerate(range(len(starts)) if axes is None else axes):
        step = 1 if steps is None else int(steps[i])
        start, end = int(starts[i]), int(ends[i])
        if step < 0:
            # A start before the first element is moved to it, and an end before it is behind it.
            start = max(start, -data.shape[axis])
            end = None if end < -data.shape[axis] else end
        places[int(axis)] = slice(start, end, step)
    return data[tuple(places)]


def cases():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    number = lambda *values: np.int64(values)
    yield Case("constants", inputs=[x, number(1, 2), number(3, 100)], constants=(1, 2), written_for=13)
    yield Case("axes", inputs=[x, number(-4), number(-1), number(1)], constants=(1, 2, 3), written_for=13)
    yield Case("nodes", inputs=[x, number(1), number(5), number(-1)], constants=(1, 2, 3), constants_as="node", written_for=13)
    yield Case("steps-of-one", inputs=[x, number(0), number(2), number(0), number(1)], constants=(1, 2, 3, 4), written_for=13)
    yield Case("no-axes-with-steps", inputs=[x, number(0, 0), number(2, 6), None, number(1, 2)], constants=(1, 2, 4), written_for=13, shapes="static")
    yield Case("step", inputs=[x, number(0, 1), number(6, 4), number(1, 0), number(2, 1)], constants=(1, 2, 3, 4), written_for=13, shapes="static")
    yield Case("backwards", inputs=[x, number(-1), number(-(2**63) + 1), number(1), number(-1)], constants=(1, 2, 3, 4), written_for=13, shapes="static")
    yield Case("backwards-part", inputs=[x, number(4), number(0), number(1), number(-2)], constants=(1, 2, 3, 4), written_for=13, shapes="static")
    for start, end, step in ((-10, -20, -1), (-7, -8, -2), (-100, 3, -1), (100, -(2**62), -3)):
        bounds = [number(start), number(end), number(1), number(step)]
        for constants in ((1, 2, 3, 4), (3, 4), (3,)):
            yield Case(f"from-{start}-to-{end}-by-{step}-{len(constants)}", inputs=[x, *bounds], constants=constants, written_for=13, shapes="static",
                       cannot={"openvino": "it loses the sizes of an empty tensor"})
    yield Case("step-of-unknown-size", inputs=[x, number(0), number(6), number(1), number(2)], constants=(1, 2, 3, 4), written_for=13, opsets=range(9, 27))
    wants = {"openvino": "it wants to know the axes"}
    more = [[x, number(*starts), number(*ends), number(0, 1)] for starts, ends in (((-2, -100), (100, -3)), ((3, 0), (1, 0)), ((0, 5), (2**62, -(2**62))))]
    yield Case("inputs", inputs=[x, number(1, 0), number(3, 5), number(0, 1)], constants=(3,), also=more, written_for=13,
               cannot={"openvino": "it loses the sizes of an empty tensor"})
    yield Case("inputs-without-axes", inputs=[x, number(1), number(3)], shapes=["symbolic", "static", "static"], written_for=13)
    steps = [[x, number(*starts), number(*ends), number(1, -2), number(*by)] for starts, ends, by in (
        ((5, -1), (-(2**62), -100), (-1, -3)), ((0, 0), (6, 0), (2, 1)), ((100, 1), (1, 3), (-2, -1)), ((-6, -4), (5, 2**63 - 1), (5, 4)), ((0, 3), (2, 3), (-1, 2)))]
    some, shapes = {"openvino": wants["openvino"] + ", and loses the sizes of an empty tensor"}, ["static"] * 5
    yield Case("steps-at-run-time", inputs=[x, number(4, 3), number(0, 0), number(1, -2), number(-2, -1)], constants=(3,), also=steps, written_for=13, shapes=shapes, cannot=some)
    yield Case("all-at-run-time", inputs=[x, number(4, 3), number(0, 0), number(1, -2), number(-2, -1)], also=steps, written_for=13, shapes=shapes, cannot=some)
    words = np.array([f"word {place}" for place in range(24)], object).reshape(4, 6)
    yield Case("words-at-run-time", inputs=[words, number(4, 3), number(0, 0), number(1, -2), number(-2, -1)], also=[[words, *others] for _, *others in steps], written_for=13, shapes=shapes)
    yield Case("axes-at-run-time", inputs=[x, np.int32([1]), np.int32([3]), np.int32([0])], written_for=13, cannot=wants)
    yield Case("of-unknown-rank", inputs=[x, number(1), number(3), number(0)], written_for=13, opsets=[9], shapes="unranked", refuse="the rank of")
    yield Case("attributes", inputs=[x], attributes={"starts": [1, 2], "ends": [3, 2**63 - 1]}, written_for=1)
    yield Case("attributes-axes", inputs=[x], attributes={"starts": [2], "ends": [-1], "axes": [1]}, written_for=1)
    yield Case("int64", inputs=[x.astype(np.int64), number(1), number(3)], constants=(1, 2), written_for=13)
