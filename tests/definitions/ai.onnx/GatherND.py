# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GatherND: parts by index in the first dimensions.

Source: ONNX GatherND-11.
"""
import numpy as np

from definition import Case


def define(data, indices):
    return data[tuple(np.moveaxis(indices, -1, 0))]


def cases():
    data = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for depth in (1, 2, 3):
        indices = np.int64([[1, 2, 3], [0, -1, 0], [-1, 1, -4]])[:, :depth]
        yield Case(f"depth-{depth}", inputs=[data, indices], shapes="static")
    yield Case("int64", inputs=[data.astype(np.int64), np.int64([[[0, 1]], [[1, 2]]])], shapes="static")
