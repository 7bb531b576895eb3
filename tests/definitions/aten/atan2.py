# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::atan2: the angle of the point (y, x).

Source: PyTorch's documentation of torch.atan2.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.arctan2)


def cases():
    return _elementwise.binary_cases(openvino=_elementwise.NO_NAN)
