# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::positive: x itself.

Source: PyTorch's documentation of torch.positive.
"""
from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return x


def cases():
    return _elementwise.unary_cases(exact=True)
