# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Celu.

Source: ONNX Celu-12.
"""
import numpy as np

from definition import definition_of


def define(x, alpha=1.0):
    dtype, x = x.dtype, x.astype(np.float64)
    return (np.maximum(x, 0) + np.minimum(0, alpha * (np.exp(np.minimum(x, 0) / alpha) - 1))).astype(dtype)


def cases():
    return definition_of("ai.onnx", "_schema_functions").cases_of(attributes=({}, {"alpha": 2.0}), half=False, double=False)
