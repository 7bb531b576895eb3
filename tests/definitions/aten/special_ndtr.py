# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::special_ndtr: the normal distribution function.

Source: PyTorch's documentation of torch.special.ndtr.
"""
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(special.ndtr)


def cases():
    return _elementwise.unary_cases(tolerances={"float32": (1e-5, 1e-7), "float64": (1e-11, 1e-15)}, openvino=_elementwise.NO_NAN)
