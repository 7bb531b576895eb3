# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulPacked: a product with the transpose of packed weights, perhaps activated.

Source: ONNX Runtime's contrib operator MatMulPacked.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_blocks = definition_of("onnx_lower", "UnpackedBlocks")


def define(a, b, packed_type, N, K, activation_type="none"):
    weights = _blocks.define(b, packed_type, K).astype(a.dtype).astype(float)
    y = (a.astype(float) @ weights.T).astype(a.dtype).astype(float)
    activations = {"none": y, "silu": y / (1 + np.exp(-y))}
    return activations.get(activation_type, np.maximum(y, 0) ** 2).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 4e-3, "atol": 4e-3, "why": "results are rounded to half precision, after sums in another order"}
    for packed_type, activation in ((1, None), (2, "none"), (6, "silu"), (8, "relu2"), (20, "relu_squared")):
        attributes = {"packed_type": packed_type, "N": 5, "K": 64} | ({"activation_type": activation} if activation else {})
        a = (numbers.floats(2, 3, 64) / 32).astype(np.float16)
        yield Case(f"type-{packed_type}", inputs=[a, _blocks.packed(numbers, packed_type, 5, 64)], attributes=attributes, constants=[1], **tolerance)
    yield Case("six-bits", inputs=[a, np.zeros((5, 210), np.uint8)], attributes={"packed_type": 14, "N": 5, "K": 256}, constants=[1], opsets=(18,), refuse="packed_type is 14")
