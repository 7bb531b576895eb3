# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::signbit: whether the sign bit is set; not asked of NaN, whose sign the rule does not see.

Source: PyTorch's documentation of torch.signbit.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x):
    return np.signbit(x) & ~np.isnan(x)


def cases():
    return _elementwise.unary_cases(exact=True)
