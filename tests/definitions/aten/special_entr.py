# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::special_entr: -x log(x).

Source: PyTorch's documentation of torch.special.entr.
"""
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.entr)


def cases():
    return _elementwise.unary_cases(openvino=_elementwise.NO_NAN)
