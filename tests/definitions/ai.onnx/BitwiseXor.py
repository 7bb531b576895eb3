# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BitwiseXor: of two integers, bit by bit.

Source: ONNX BitwiseXor-18.
"""
import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_bitwise")
define = np.bitwise_xor


def cases():
    return shared.cases()
