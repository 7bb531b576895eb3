# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Shape: the sizes of the dimensions from start up to end.

Source: ONNX Shape-15.
"""
import numpy as np

from definition import Case


def define(data, start=0, end=None):
    return np.int64(data.shape[start:end])


def cases():
    x = np.zeros((2, 3, 4), np.float32)
    for start, end in ((0, 2), (1, 3), (-1, 100), (-2, -1), (0, 0)):
        yield Case(f"{start}-{end}", inputs=[x], attributes={"start": start, "end": end}, written_for=15)
    yield Case("start", inputs=[x], attributes={"start": 1}, written_for=15)
    yield Case("end", inputs=[x], attributes={"end": -1}, written_for=15)
    yield Case("scalar", inputs=[np.float32(1)], attributes={"start": 0}, written_for=15)
