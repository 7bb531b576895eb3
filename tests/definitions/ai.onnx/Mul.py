# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Mul: the product of two numbers.

Source: ONNX Mul-14.
"""
import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_small_integers")


def define(a, b):
    return np.multiply(a, b)


def cases():
    return shared.cases()
