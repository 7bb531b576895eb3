# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::bitwise_not: all bits inverted.

Source: PyTorch's documentation of torch.bitwise_not.
"""
import numpy as np

from definition import Case

def define(x):
    return np.invert(x)


def cases():
    for dtype in ("int64", "int32"):
        yield Case(dtype, inputs=[np.array([[-7, -1, 0], [1, 5, 127]], dtype)], opsets=(9, 13, 17, 18, 26))
    yield Case("int8", inputs=[np.array([-128, -1, 0, 127], "int8")], opsets=(9, 13, 14, 18, 26))
    yield Case("uint8", inputs=[np.array([0, 1, 255], "uint8")], opsets=(9, 12, 17, 18, 26))
    yield Case("bool", inputs=[np.array([True, False])])
