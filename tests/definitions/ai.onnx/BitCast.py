# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BitCast: the same bits, taken as another type.

Source: ONNX BitCast-26.
"""
import numpy as np
import onnx

from definition import Case, definition_of

shared = definition_of("ai.onnx", "_bitwise")


def define(x, *, to):
    return x.view(onnx.helper.tensor_dtype_to_np_dtype(to))


def cases():
    for size in (8, 16, 32, 64):
        signed, unsigned = np.dtype(f"int{size}"), np.dtype(f"uint{size}")
        for start, end in ((signed, unsigned), (unsigned, signed), (signed, signed)):
            to = int(onnx.helper.np_dtype_to_tensor_dtype(end))
            yield Case(f"{start}-{end}", inputs=[shared.numbers(start.type).reshape(4, 6)], attributes={"to": to}, written_for=26, opsets=range(9, 26),
                       cannot={"openvino": "it computes 64-bit integers in 32 bits, and keeps a number within its type"})
    yield Case("float32-int32", inputs=[np.float32([1, 2])], attributes={"to": 6}, written_for=26, opsets=[25], refuse="dtype(input) is float")
