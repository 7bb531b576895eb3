# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Sub: the difference of two numbers.

Source: ONNX Sub-14.
"""
import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_small_integers")


def define(a, b):
    return np.subtract(a, b)


def cases():
    return shared.cases()
