# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::square: x times x.

Source: PyTorch's documentation of torch.square.
"""
from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return x * x


def cases():
    return _elementwise.unary_cases(exact=True)
