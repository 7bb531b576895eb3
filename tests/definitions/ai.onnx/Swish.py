# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Swish.

Source: ONNX Swish-24.
"""
import numpy as np

from definition import definition_of


def define(x, alpha=1.0):
    dtype, x = x.dtype, x.astype(np.float64)
    return (x / (1 + np.exp(-alpha * x))).astype(dtype)


def cases():
    return definition_of("ai.onnx", "_schema_functions").cases_of(cannot={"ort": "it has no kernel for Swish from 25 on"}, attributes=({}, {"alpha": 0.5}))
