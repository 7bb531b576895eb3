# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ReduceL2: the root of the sum of the squares along axes.

Source: ONNX ReduceL2-11, ReduceL2-18.
"""
import numpy as np

from definition import Case, definition_of

reductions = definition_of("ai.onnx", "_reductions")


def reduce(x, axes, keep):
    return np.sqrt(np.sum(np.square(x.astype(np.float64)), axes, keepdims=keep))


define = reductions.definition(reduce)


def cases():
    yield from reductions.cases_with(18, reduce, noop=False)
    exact = {"rtol": 4e-16, "why": "A sum, its root and their products are rounded.", "written_for": 18, "cannot": {"openvino": "it computes double as float"}}
    for name, numbers in (("large", [[1e100, 1e99], [1e150, 0]]), ("small", [[1e-100, 1e-101], [1e-150, 0]]), ("of-many-digits", [[0.1, 1 / 3], [2.0**53 + 2, 1]])):
        for noop in (0, 1):
            attributes = {"keepdims": 0, "noop_with_empty_axes": noop}
            yield Case(f"{name}-{noop}", inputs=[np.float64(numbers), np.int64([1])], also=[[np.float64(numbers), np.int64([-2])]], attributes=attributes, **exact)
            yield Case(f"{name}-{noop}-constant", inputs=[np.float64(numbers), np.int64([1])], constants=(1,), attributes=attributes, **exact)
    exact["cannot"] = {"openvino": "it computes int64 as float"}
    for noop in (0, 1):
        yield Case(f"integers-{noop}", inputs=[np.int64([[2**26 + 1, 2], [3, 4]]), np.int64([1])], attributes={"keepdims": 0, "noop_with_empty_axes": noop}, **{**exact, "rtol": 0, "why": ""})
