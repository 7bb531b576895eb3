# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Flatten: the dimensions before an axis as one, and those from it on as another.

Source: ONNX Flatten-11.
"""
import numpy as np

from definition import Case


def define(x, *, axis=1):
    return x.reshape(int(np.prod(x.shape[:axis])), -1)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for axis in (-1, -2, -3, 2):
        yield Case(f"axis-{axis}", inputs=[x], attributes={"axis": axis}, written_for=11)
