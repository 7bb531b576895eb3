# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::expm1: exp(x) - 1.

Source: PyTorch's documentation of torch.expm1.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.expm1)


def cases():
    return _elementwise.unary_cases(openvino=_elementwise.NO_NAN)
