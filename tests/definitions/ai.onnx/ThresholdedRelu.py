# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ThresholdedRelu.

Source: ONNX ThresholdedRelu-10.
"""
import numpy as np

from definition import definition_of


def define(x, alpha=1.0):
    dtype, x = x.dtype, x.astype(np.float64)
    return (np.where(x > alpha, x, 0)).astype(dtype)


def cases():
    return definition_of("ai.onnx", "_schema_functions").cases_of(attributes=({}, {"alpha": 2.0}))
