# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::HardSwish.

Source: ONNX HardSwish-14.
"""
import numpy as np

from definition import definition_of


def define(x):
    dtype, x = x.dtype, x.astype(np.float64)
    return (x * np.clip(x / 6 + 0.5, 0, 1)).astype(dtype)


def cases():
    return definition_of("ai.onnx", "_schema_functions").cases_of(attributes=({},))
