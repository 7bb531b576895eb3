# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ConstantFill: a tensor of one value.

Source: the documentation of ONNX 1.4's experimental operator ConstantFill.
"""
import numpy as np
import onnx

from definition import Case


def define(input=None, dtype=1, value=0.0, shape=None, input_as_shape=0, extra_shape=()):
    if input is None:
        dims = tuple(shape)
    else:
        dims = (*(tuple(input) if input_as_shape else input.shape), *extra_shape)
    return np.full(dims, value).astype(onnx.helper.tensor_dtype_to_np_dtype(dtype))


def cases():
    yield Case("shape", attributes={"shape": [2, 3], "value": 1.5})
    yield Case("shape-int64", attributes={"shape": [2], "value": -3.0, "dtype": 7})
    x = np.zeros((2, 3), np.int32)
    yield Case("input", inputs=[x], attributes={"value": 0.5}, also=[[np.zeros((0, 1), np.int32)]])
    yield Case("input-extra", inputs=[x], attributes={"value": 1.0, "dtype": 9, "extra_shape": [4, 1]})
    for dims in (np.int64([3, 2]), np.int32([3, 2])):
        yield Case(f"held-{dims.dtype}", inputs=[dims], attributes={"input_as_shape": 1, "value": 2.0, "dtype": 11}, output_shapes=[("a", "b")])
    yield Case("held-extra", inputs=[np.int64([3])], attributes={"input_as_shape": 1, "extra_shape": [2], "dtype": 6, "value": 7.0}, output_shapes=[("a", 2)], cannot={"openvino": "its Broadcast wants a rank"})
    yield Case("string", attributes={"shape": [2], "dtype": 8}, refuse="dtype is 8", expected=[np.zeros(2, np.float32)])
