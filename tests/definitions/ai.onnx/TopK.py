# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::TopK: the k greatest or smallest elements along an axis, in order, the first of equal ones first.

Source: ONNX TopK-1, TopK-10, TopK-11.
"""
import numpy as np

from definition import Case


def define(x, count=None, *, k=None, axis=-1, largest=1, sorted=1):
    k = int(k if count is None else count[0])
    order = np.argsort(-x.astype(np.float64) if largest else x, axis=axis, kind="stable")
    indices = np.take(order, range(k), axis=axis)
    return np.take_along_axis(x, indices, axis), indices.astype(np.int64)


def cases():
    x = np.float32([[5, 1, 3, 9], [2, 8, 7, 4], [6, 0, 11, 10]])
    k = np.int64([2])
    yield Case("constant", inputs=[x, k], constants=(1,), written_for=11)
    yield Case("constant-axis", inputs=[x, k], constants=(1,), attributes={"axis": 0}, written_for=11)
    yield Case("smallest", inputs=[x, k], constants=(1,), attributes={"largest": 0}, written_for=11)
    yield Case("attribute", inputs=[x], attributes={"k": 3, "axis": 1}, written_for=1)
    yield Case("input", inputs=[x, k], attributes={"sorted": 1}, written_for=11, opsets=range(10, 27), cannot={"openvino": "it wants K to be a constant"})
    yield Case("smallest-input", inputs=[x, k], attributes={"largest": 0}, written_for=11, opsets=range(10, 27),
               cannot={"openvino": "it wants K to be a constant"})
    for largest in (0, 1):
        yield Case(f"input-below-10-{largest}", inputs=[x, k], attributes={"largest": largest, "axis": 0}, written_for=11, opsets=[9], shapes=["static", "static"], also=[[x, np.int64([0])], [x, np.int64([3])]],
                   cannot={"openvino": "it loses the sizes of an empty tensor"})
    yield Case("none", inputs=[x, np.int64([0])], constants=(1,), written_for=11, shapes="static", cannot={"openvino": "it loses the sizes of an empty tensor"})
    yield Case("double", inputs=[x.astype(np.float64), k], constants=(1,), written_for=11)
    for dtype in (np.int64, np.int32):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype), k], constants=(1,), written_for=11,
                   opsets=range(9 if dtype == np.int32 else 11, 27))
    yield Case("smallest-int32", inputs=[x.astype(np.int32), k], constants=(1,), attributes={"largest": 0}, written_for=11)
    none = {"written_for": 11, "constants": (1,), "cannot": {"openvino": "it loses the sizes of an empty tensor"}}
    for dtype in (np.float32, np.int32):
        yield Case(f"none-of-{np.dtype(dtype)}", inputs=[x.astype(dtype), np.int64([0])], also=[[x[:0].astype(dtype), np.int64([0])]], **none)
    yield Case("none-smallest", inputs=[x, np.int64([0])], attributes={"largest": 0, "axis": 0}, shapes=["static", "static"], **none)
    yield Case("none-int64", inputs=[x.astype(np.int64), np.int64([0])], **none)
    yield Case("none-of-no-columns", inputs=[x[:, :0], np.int64([0])], written_for=11, opsets=[9], shapes=["static", "static"], cannot=none["cannot"])
