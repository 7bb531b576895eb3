# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BitwiseOr: of two integers, bit by bit.

Source: ONNX BitwiseOr-18.
"""
import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_bitwise")
define = np.bitwise_or


def cases():
    return shared.cases()
