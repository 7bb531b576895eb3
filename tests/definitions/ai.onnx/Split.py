# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Split: a tensor in parts along an axis.

Source: ONNX Split-2, Split-13, Split-18: num_outputs makes equal parts of which the last may be smaller.
"""
import numpy as np

from definition import Case


def define(x, sizes=None, *, axis=0, num_outputs=2, **former):
    sizes = former.get("split", sizes)
    if sizes is None:
        part = -(-x.shape[axis] // num_outputs)
        return tuple(np.take(x, range(i * part, min((i + 1) * part, x.shape[axis])), axis) for i in range(num_outputs))
    ends = np.cumsum(sizes)
    return tuple(np.take(x, range(end - size, end), axis) for size, end in zip(map(int, sizes), map(int, ends)))


def cases():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    yield Case("sizes", inputs=[x, np.int64([1, 3])], constants=(1,), written_for=13)
    yield Case("sizes-axis", inputs=[x, np.int64([1, 3, 2])], constants=(1,), attributes={"axis": -1}, written_for=13)
    yield Case("sizes-at-run-time", inputs=[x, np.int64([1, 3])], written_for=13, opsets=range(10, 27),
               cannot={"openvino": "it wants the sizes to be constants"})
    yield Case("attribute", inputs=[x], attributes={"split": [1, 3]}, written_for=11)
    yield Case("equal", inputs=[x], attributes={"axis": 1}, written_for=11, shapes="static")
    yield Case("equal-13", inputs=[x], attributes={"axis": 1}, written_for=13, shapes="static")
    for written_for in (11, 13):
        yield Case(f"equal-{written_for}-of-nothing", inputs=[x[:, :0]], attributes={"axis": 1}, written_for=written_for, shapes="static", cannot={"openvino": "it loses the sizes of an empty tensor"})
    yield Case("equal-of-unknown-size", inputs=[x], attributes={"axis": 1}, written_for=13, opsets=range(10, 27))
    yield Case("count", inputs=[x], attributes={"num_outputs": 3, "axis": 1}, written_for=18, shapes="static")
    odd = np.arange(28, dtype=np.float32).reshape(4, 7)
    yield Case("count-unequal", inputs=[odd], attributes={"num_outputs": 4, "axis": 1}, written_for=18, shapes="static")
    # ONNX says no more than that the last part may be smaller; ONNX Runtime refuses more parts than there can be, and it matters only in a branch that is for another size.
    yield Case("count-with-empty-parts", inputs=[odd[:, :5]], attributes={"num_outputs": 4, "axis": 1}, written_for=18, shapes="static", opsets=range(10, 18))
    yield Case("count-of-unknown-size", inputs=[odd], attributes={"num_outputs": 4, "axis": 1}, written_for=18, opsets=range(10, 27))
    yield Case("int64", inputs=[x.astype(np.int64), np.int64([2, 2])], constants=(1,), written_for=13)
