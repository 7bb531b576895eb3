# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::TransposeMatMul: the older name of FusedMatMul.

Source: ONNX Runtime's contrib operator TransposeMatMul.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
define = definition_of("com.microsoft", "FusedMatMul").define


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    yield Case("plain", inputs=[numbers.floats(3, 4), numbers.floats(4, 5)], **tolerance)
    yield Case("all", inputs=[numbers.floats(2, 4, 3), numbers.floats(2, 5, 4)], attributes={"alpha": 0.5, "transA": 1, "transB": 1}, **tolerance)
