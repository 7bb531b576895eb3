# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Windows of signals: sums of cosines, of angles in equal steps from 0 to a whole turn, which is not reached where the window is periodic; and the cases at which they are tried."""
import numpy as np

from definition import Case

TYPES = {1: np.float32, 10: np.float16, 11: np.float64}


def window(of_angles, size, *, periodic=1, output_datatype=1):
    length = int(size.reshape(()))
    angles = 2 * np.pi * np.arange(length) / (length if periodic else length - 1)
    return of_angles(angles).astype(TYPES[output_datatype])


def cases():
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "Angles and cosines are rounded to float.", "opsets": range(9, 17), "written_for": 17}
    for periodic in (1, 0, 2):
        for output_datatype in (1, 10, 11):
            own = {"atol": 5e-4, "why": "Windows are rounded to half precision."} if output_datatype == 10 else {}
            if output_datatype == 11:
                own = {"rtol": 0, "atol": 1e-15, "why": "Angles and cosines are rounded to double.", "cannot": {"openvino": "it computes double as float"}}
            yield Case(f"periodic-{periodic}-type-{output_datatype}", inputs=[np.int64(9)], attributes={"periodic": periodic, "output_datatype": output_datatype}, **{**near, **own})
    for shape in ((), (1,), (1, 1)):
        yield Case(f"rank-{len(shape)}", inputs=[np.full(shape, 12, np.int32)], also=[[np.full(shape, 5, np.int32)]], **near)
        yield Case(f"rank-{len(shape)}-constant", inputs=[np.full(shape, 12)], constants=[0], **near)
    yield Case("unranked", inputs=[np.full((1, 1), 12)], shapes="unranked", **near)
