# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::fmod: the remainder with the sign of x.

Source: PyTorch's documentation of torch.fmod.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x, other):
    kind = _elementwise.result_type(x, other) if "f" in x.dtype.kind + other.dtype.kind else np.result_type(x, other)
    x, other = x.astype(kind), other.astype(kind)
    return np.fmod(x, other)


def cases():
    yield from _elementwise.binary_cases(exact=True, integers=("int64", "int32"), opsets=range(10, 27), openvino="its Mod divides and rounds")
    yield Case("unranked-types", inputs=[np.float32([6, 4]), np.float64([4, 3])], shapes="unranked", opsets=(11, 26), refuse="the rank of input 0 is not known, and with rank 0 it would not decide the type")
