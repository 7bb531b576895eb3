# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::logaddexp: log(exp(x) + exp(y)).

Source: PyTorch's documentation of torch.logaddexp.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.logaddexp)


def cases():
    return _elementwise.binary_cases()
