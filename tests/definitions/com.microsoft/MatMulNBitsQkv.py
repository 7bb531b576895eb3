# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulNBitsQkv: three products of a normal input with matrices of few bits.

Source: ONNX Runtime's contrib operator MatMulNBitsQkv.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_product = definition_of("com.microsoft", "MatMulNBits")
_mlp = definition_of("com.microsoft", "MatMulNBitsMlp")


def define(a, skip, norm_scale, q_b, q_scales, q_bias, k_b, k_scales, k_bias, v_b, v_scales, v_bias=None, *, Nq, Nkv, epsilon=1e-6, **sizes):
    normal, total = _mlp.normalized(a, skip, norm_scale, epsilon)
    q = _product.define(normal, q_b, q_scales, bias=q_bias, N=Nq, **sizes)
    k = _product.define(normal, k_b, k_scales, bias=k_bias, N=Nkv, **sizes)
    v = _product.define(normal, v_b, v_scales, bias=v_bias, N=Nkv, **sizes)
    return (q, k, v) if skip is None else (q, k, v, total)


def cases():
    numbers = _random.Numbers()
    sizes = {"K": 64, "Nq": 8, "Nkv": 4, "block_size": 32}
    tolerance = {"rtol": 1e-3, "atol": 1e-3, "why": _random.FLOAT_WHY}
    a, skip, scale = numbers.floats(2, 3, 64), numbers.floats(2, 3, 64), numbers.floats(64)
    for bias in (False, True):
        products, constants = [], []
        for n in (8, 4, 4):
            products += [*_mlp.weights(numbers, n, 64), numbers.floats(n) if bias else None]
        constants = [index + 3 for index, value in enumerate(products) if value is not None]
        name = "-biased" if bias else ""
        yield Case(f"normal{name}", inputs=[a, None, scale, *products], attributes=sizes | {"epsilon": 0.25}, constants=constants, **tolerance)
        yield Case(f"normal-sum{name}", inputs=[a, skip, scale, *products], attributes=sizes, constants=constants, **tolerance)
