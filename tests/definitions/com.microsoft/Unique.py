# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Unique: the distinct values in order of occurrence, each element's index among them, and their counts.

Source: ONNX Runtime's contrib operator Unique.
"""
import numpy as np

from definition import Case


def define(x):
    order = list(dict.fromkeys(x.tolist()))
    index = np.array([order.index(value) for value in x.tolist()], np.int64)
    return np.array(order, x.dtype), index, np.bincount(index, minlength=len(order)).astype(np.int64)


def cases():
    # ONNX has Unique since opset 11.
    newer = {"opsets": range(11, 27), "shapes": "symbolic", "output_shapes": [("u",), ("n",), ("u",)]}
    yield Case("example", inputs=[np.float32([2, 1, 1, 3, 4, 3])], **newer)
    yield Case("one", inputs=[np.float32([5])], **newer)
    yield Case("older", inputs=[np.float32([5])], opsets=[10], refuse="Unique")
