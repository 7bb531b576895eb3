# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::UpperBound: how many numbers of a sorted row are not above each value.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(rows, values, out_type=6):
    found = [np.searchsorted(row, wanted, side="right") for row, wanted in zip(rows, values, strict=True)]
    return np.array(found).astype(np.int32 if out_type == 6 else np.int64)


def cases():
    rows, values = np.float32([[0, 1, 1, 2], [-1, 0, 3, 3]]), np.float32([[1, -1, 5], [3, 0.5, -1]])
    yield Case("float", inputs=[rows, values], attributes={"out_type": 6})
    yield Case("long", inputs=[rows.astype(np.int64), values.astype(np.int64)], attributes={"out_type": 7}, opsets=[9, 13, 18])
    yield Case("no-type", inputs=[rows, values], attributes={"out_type": 0}, opsets=[13, 18], refuse="out_type")
