# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ArgMax: the index of the first, or the last, of the greatest elements along an axis.

Source: ONNX ArgMax-12.
"""
import numpy as np

from definition import Case


def define(data, *, axis=0, keepdims=1, select_last_index=0):
    if select_last_index:
        found = data.shape[axis] - 1 - np.argmax(np.flip(data, axis), axis)
    else:
        found = np.argmax(data, axis)
    return np.int64(np.expand_dims(found, axis) if keepdims else found)


def cases():
    x = np.float32([[3, 1, 3, 1], [2, 2, 1, 1], [3, 3, 3, 3]])
    for last in (0, 1):
        for axis in (0, 1):
            yield Case(f"{last}-{axis}", inputs=[x], attributes={"select_last_index": last, "axis": axis}, written_for=12,
                       shapes="static" if last else "symbolic")
        yield Case(f"{last}-no-dims", inputs=[x], attributes={"select_last_index": last, "axis": 1, "keepdims": 0}, written_for=12, shapes="static")
    yield Case("unknown-size", inputs=[x], attributes={"select_last_index": 1}, written_for=12, opsets=range(10, 27))
    for last in (0, 1):
        yield Case(f"{last}-of-a-list-no-dims", inputs=[x[0]], attributes={"select_last_index": last, "keepdims": 0}, written_for=12, shapes="static")
