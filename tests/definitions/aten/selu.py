# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::selu: scale * x above zero, scale * alpha * (exp(x) - 1) below.

Source: PyTorch's documentation of torch.nn.SELU, with its constants.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

SCALE, ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
define = _elementwise.rounded(lambda x: SCALE * np.where(x > 0, x, ALPHA * np.expm1(x)))


def cases():
    return _elementwise.unary_cases(integers=False)
