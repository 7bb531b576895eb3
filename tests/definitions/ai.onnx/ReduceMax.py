# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ReduceMax: the greatest element along axes.

Source: ONNX ReduceMax-11, ReduceMax-18.
"""
import numpy as np

from definition import Case, definition_of

reductions = definition_of("ai.onnx", "_reductions")


def reduce(x, axes, keep):
    return np.max(x, axes, keepdims=keep)


define = reductions.definition(reduce)


def cases():
    yield from reductions.cases_with(18, reduce)
    x = np.array([[True, False, True], [False, False, False]])
    bytes_ = np.int8([[-7, 5, 127], [-128, 0, 3]])
    for name, data in (("bool", x), ("int8", bytes_), ("uint8", bytes_.view(np.uint8))):
        # Booleans are of 20.
        written_for = 20 if name == "bool" else 18
        wants = {} if name == "bool" else {"openvino": "it reduces no numbers of 8 bits"}
        yield Case(f"{name}", inputs=[data, np.int64([1])], constants=(1,), written_for=written_for, cannot=wants)
        yield Case(f"{name}-all", inputs=[data], attributes={"keepdims": 0}, written_for=written_for, cannot=wants)
        yield Case(f"{name}-axes-at-run-time", inputs=[data, np.int64([1])], also=[[data, np.int64([-2])]], written_for=written_for, opsets=range(9, 18), cannot=wants)
