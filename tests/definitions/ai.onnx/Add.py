# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Add: the sum of two numbers.

Source: ONNX Add-14.
"""
import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_small_integers")


def define(a, b):
    return np.add(a, b)


def cases():
    return shared.cases()
