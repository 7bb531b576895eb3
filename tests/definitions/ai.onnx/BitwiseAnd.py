# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BitwiseAnd: of two integers, bit by bit.

Source: ONNX BitwiseAnd-18.
"""
import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_bitwise")
define = np.bitwise_and


def cases():
    return shared.cases()
