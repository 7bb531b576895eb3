# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulNBitsMlp: the products of an input with two matrices of few bits, one of them activated, times each other.

Source: ONNX Runtime's contrib operator MatMulNBitsMlp.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_product = definition_of("com.microsoft", "MatMulNBits")


def normalized(a, skip, norm_scale, epsilon):
    """The input and what was added to it, as they are or divided by the root of their mean square; and their sum."""
    total = a.astype(float) if skip is None else (a + skip).astype(float)
    normal = total if norm_scale is None else total / np.sqrt((total**2).mean(-1, keepdims=True) + epsilon) * norm_scale
    return normal.astype(a.dtype), total.astype(a.dtype)


def define(a, skip, norm_scale, gate_b, gate_scales, gate_bias, up_b, up_scales, up_bias=None, *, activation, epsilon=1e-5, **sizes):
    normal, total = normalized(a, skip, norm_scale, epsilon)
    gate = _product.define(normal, gate_b, gate_scales, bias=gate_bias, **sizes).astype(float)
    up = _product.define(normal, up_b, up_scales, bias=up_bias, **sizes)
    y = (gate / (1 + np.exp(-gate)) * up).astype(a.dtype)
    return y if skip is None else (y, total)


def weights(numbers, n, k, block=32, bits=4, dtype=np.float32):
    blocks = -(-k // block)
    return [numbers.bytes(n, blocks, block * bits // 8), numbers.positive(n, blocks, dtype=dtype) / dtype(8)]


def cases():
    numbers = _random.Numbers()
    sizes = {"K": 64, "N": 6, "block_size": 32, "activation": "silu"}
    tolerance = {"rtol": 1e-3, "atol": 1e-3, "why": _random.FLOAT_WHY}
    for bias in (False, True):
        biases = [numbers.floats(6) if bias else None for _ in range(2)]
        products = [*weights(numbers, 6, 64), biases[0], *weights(numbers, 6, 64), biases[1]]
        given = [3, 4, 6, 7] + ([5, 8] if bias else [])
        name = "-biased" if bias else ""
        a, skip, scale = numbers.floats(2, 3, 64) / 4, numbers.floats(2, 3, 64) / 4, numbers.floats(64) / 4
        yield Case(f"plain{name}", inputs=[a, None, None, *products], attributes=sizes, constants=given, **tolerance)
        yield Case(f"normal{name}", inputs=[a, None, scale, *products], attributes=sizes | {"epsilon": 0.25}, constants=given, **tolerance)
        yield Case(f"normal-sum{name}", inputs=[a, skip, scale, *products], attributes=sizes, constants=given, **tolerance)
    yield Case("other", inputs=[a, None, None, *products], attributes=sizes | {"activation": "gelu"}, constants=given, opsets=(18,), refuse="activation is")
    yield Case("skip-alone", inputs=[a, skip, None, *products], attributes=sizes, constants=given, opsets=(18,), refuse="skip")
