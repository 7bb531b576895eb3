# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::deg2rad: degrees in radians.

Source: PyTorch's documentation of torch.deg2rad.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.deg2rad)


def cases():
    return _elementwise.unary_cases()
