# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BlackmanWindow: 0.42 - 0.5 cos(t) + 0.08 cos(2 t), of t in equal steps from 0 to a whole turn, which is not reached where the window is periodic.

Source: ONNX BlackmanWindow-17, and ONNX Runtime's kernel of it: any number but 0 means periodic, and a size of one element may have any shape.
"""
import numpy as np

from definition import Case

TYPES = {1: np.float32, 10: np.float16, 11: np.float64}


def define(size, *, periodic=1, output_datatype=1):
    length = int(size.reshape(()))
    turns = 2 * np.pi * np.arange(length) / (length if periodic else length - 1)
    return (0.42 - 0.5 * np.cos(turns) + 0.08 * np.cos(2 * turns)).astype(TYPES[output_datatype])


def cases():
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "Angles and cosines are rounded to float.", "opsets": range(9, 17), "written_for": 17}
    for periodic in (1, 0, 2):
        for output_datatype in (1, 10, 11):
            own = {"atol": 5e-4, "why": "Windows are rounded to half precision."} if output_datatype == 10 else {}
            yield Case(f"periodic-{periodic}-type-{output_datatype}", inputs=[np.int64(9)], attributes={"periodic": periodic, "output_datatype": output_datatype}, **{**near, **own})
    for shape in ((), (1,), (1, 1)):
        yield Case(f"rank-{len(shape)}", inputs=[np.full(shape, 12, np.int32)], also=[[np.full(shape, 5, np.int32)]], **near)
        yield Case(f"rank-{len(shape)}-constant", inputs=[np.full(shape, 12)], constants=[0], **near)
    yield Case("unranked", inputs=[np.full((1, 1), 12)], shapes="unranked", **near)
