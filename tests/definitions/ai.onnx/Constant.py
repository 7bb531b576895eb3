# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Constant: a value from an attribute.

Source: ONNX Constant-12; and torch 2.2, which writes a string as `value`.
"""
import numpy as np

from definition import Case


def define(*, value_float=None, value_floats=None, value_int=None, value_ints=None, value_string=None, value_strings=None):
    if value_float is not None:
        return np.float32(value_float)
    if value_floats is not None:
        return np.float32(value_floats)
    if value_int is not None:
        return np.int64(value_int)
    if value_ints is not None:
        return np.int64(value_ints)
    return np.array(value_string if value_string is not None else value_strings, dtype=object)


def cases():
    yield Case("float", attributes={"value_float": 0.1}, written_for=12)
    yield Case("floats", attributes={"value_floats": [0.1, -2.0, 1e30]}, written_for=12)
    yield Case("int", attributes={"value_int": -(2**53) - 1}, written_for=12, cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("ints", attributes={"value_ints": [1, 2, 3]}, written_for=12)
    yield Case("string", attributes={"value_string": "text"}, written_for=12, cannot={"openvino": "it has no strings"})
    yield Case("strings", attributes={"value_strings": ["a", "b"]}, written_for=12, cannot={"openvino": "it has no strings"})
    yield Case("string-as-value", attributes={"value": "text"}, meaning={"value_string": "text"}, cannot={"openvino": "it has no strings"})
