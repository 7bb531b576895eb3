# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BitwiseNot: all bits inverted.

Source: ONNX BitwiseNot-18.
"""
import numpy as np

from definition import Case, definition_of

shared = definition_of("ai.onnx", "_bitwise")
define = np.bitwise_not


def cases():
    for dtype in shared.TYPES:
        yield Case(f"{np.dtype(dtype)}", inputs=[shared.numbers(dtype).reshape(2, -1)], written_for=18, cannot=shared.cannot(dtype))
    yield Case("empty", inputs=[np.zeros((0, 3), np.int16)], written_for=18)
