# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::sinc: sin(pi x) / (pi x).

Source: PyTorch's documentation of torch.sinc.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.sinc)


def cases():
    return _elementwise.unary_cases([0, -0.0, 1e-30, 0.001, 0.3, -0.5, 1, -1, 2.5, -3, 7.7, np.inf, np.nan], tolerances={"float32": (1e-5, 2e-7)}, openvino=_elementwise.NO_NAN)
