# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CumSum: sums of all elements up to each one along an axis.

Source: ONNX CumSum-11.
"""
import numpy as np

from definition import Case


def definition(running, neutral):
    def define(x, axis, *, exclusive=0, reverse=0):
        axis = int(np.ravel(axis)[0])
        x = np.flip(x, axis) if reverse else x
        total = running(x, axis, dtype=x.dtype)
        if exclusive and x.shape[axis]:
            first = np.full_like(np.take(total, [0], axis), neutral)
            total = np.concatenate([first, np.take(total, range(x.shape[axis] - 1), axis)], axis)
        return np.flip(total, axis) if reverse else total

    return define


define = definition(np.cumsum, 0)


def cases():
    return cases_of(11)


def cases_of(since):
    x = np.arange(-3, 21, dtype=np.float32).reshape(2, 3, 4)
    for axis in (0, 1, -1):
        for exclusive in (0, 1):
            for reverse in (0, 1):
                yield Case(f"{axis}-{exclusive}-{reverse}", inputs=[x, np.int64(axis)], also=[[x[:, :0], np.int64(axis)], [x[:, :, :0], np.int64(axis)]], constants=(1,), written_for=since, attributes={"exclusive": exclusive, "reverse": reverse})
                yield Case(f"{axis}-{exclusive}-{reverse}-static", inputs=[x, np.int64(axis)], constants=(1,), written_for=since, attributes={"exclusive": exclusive, "reverse": reverse}, shapes="static")
    yield Case("axis-in-list", inputs=[x, np.int64([1])], constants=(1,), written_for=since, shapes="static")
    yield Case("vector", inputs=[x[0, 0], np.int32(0)], constants=(1,), written_for=since, shapes="static")
    for dtype in (np.float64, np.int32, np.int64):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype), np.int64(1)], constants=(1,), written_for=since, shapes="static")
    yield Case("nan", inputs=[np.float32([[1, np.nan, 2], [np.inf, 1, -np.inf]]), np.int64(1)], constants=(1,), written_for=since)
    # The axis at run time: others for the same model.
    for exclusive in (0, 1):
        for reverse in (0, 1):
            also = [[x, np.int64(0)], [x, np.int64(-1)], [x[:, :0], np.int64(2)] if not exclusive else [x, np.int64(-3)]]
            yield Case(f"axis-at-run-time-{exclusive}-{reverse}", inputs=[x, np.int64(1)], also=also, attributes={"exclusive": exclusive, "reverse": reverse},
                       written_for=since, cannot={"openvino": "it wants an axis that is a constant"})
    yield Case("axis-in-list-at-run-time", inputs=[x, np.int32([1])], written_for=since, cannot={"openvino": "it wants an axis that is a constant"})
    yield Case("vector-at-run-time", inputs=[x[0, 0], np.int32(0)], also=[[x[0, 0], np.int32(-1)]], written_for=since, shapes="static",
               cannot={"openvino": "it wants an axis that is a constant"})
