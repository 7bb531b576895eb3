# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::float_power: x to the power of exponent in double.

Source: PyTorch's documentation of torch.float_power.
"""
import numpy as np

from definition import Case

def define(x, exponent):
    return np.power(x.astype(np.float64), exponent.astype(np.float64))


def cases():
    tolerance = {"rtol": 1e-14, "why": "The runtime's power rounds differently in the last bit."}
    for dtype in ("float32", "float64", "int64"):
        yield Case(dtype, inputs=[np.array([0, 1, 2, 5], dtype), np.array([[0.5], [2], [-1]], dtype)], **tolerance)
    yield Case("number", inputs=[np.int64([1, 2, 3]), np.float64(2.5)], constants=[1], **tolerance)
    yield Case("number-first", inputs=[np.float64(2), np.float32([0, 1, 2.5])], constants=[0], **tolerance)
