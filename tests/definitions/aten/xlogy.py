# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::xlogy: x log(y).

Source: PyTorch's documentation of torch.xlogy.
"""
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.xlogy)


def cases():
    return _elementwise.binary_cases(openvino=_elementwise.NO_NAN)
