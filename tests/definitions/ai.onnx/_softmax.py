# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Softmax and its kin, along one axis (from opset 13 on) or over all dimensions from an axis on (below 13)."""
import numpy as np

from definition import Case

WHY = "Exponentials and sums differ in their last bits."


def definitions(along):
    def one_axis(x, axis=-1):
        return along(x.astype(np.float64), axis).astype(x.dtype)

    def several_axes(x, axis=1):
        rows = x.reshape(int(np.prod(x.shape[:axis])) if axis >= 0 else -1, int(np.prod(x.shape[axis:])))
        return along(rows.astype(np.float64), 1).astype(x.dtype).reshape(x.shape)

    return one_axis, several_axes


def cases_of(one_axis, several_axes, near, dtypes=(np.float32, np.float64)):
    random = np.random.default_rng(9)
    for dtype in dtypes:
        x = random.normal(size=(2, 3, 4)).astype(dtype) * 3
        for axis in (0, 1, 2, -1, -2):
            yield Case(f"axis-{axis}-{np.dtype(dtype)}", inputs=[x], attributes={"axis": axis}, written_for=13, **near)
            if axis >= -1:
                yield Case(f"from-axis-{axis}-{np.dtype(dtype)}", inputs=[x], attributes={"axis": axis}, written_for=11, define=several_axes, **near)
    x = random.normal(size=(2, 3, 4)).astype(np.float32)
    yield Case("default-axis", inputs=[x], written_for=13, **near)
    yield Case("from-default-axis", inputs=[x], written_for=11, define=several_axes, **near)
    yield Case("great", inputs=[np.float32([[1000, 1001, -1000], [0, 0, 88]])], attributes={"axis": 0}, written_for=13, **near)
    yield Case("unranked", inputs=[x], attributes={"axis": 1}, written_for=13, shapes="unranked", **near)
    yield Case("float16", inputs=[x.astype(np.float16)], attributes={"axis": 1}, written_for=13, rtol=4e-3, atol=4e-3,
               why="Every step of the formula rounds to half precision.")
