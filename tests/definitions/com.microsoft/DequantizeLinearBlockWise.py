# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DequantizeLinearBlockWise: the weights (K, N) of codes in words, with the group of each row of them.

Source: QLLM's exporter, and its kernel for ONNX Runtime.
"""
from definition import Case, definition_of

_random, _words = (definition_of("com.microsoft", name) for name in ("_random", "_words"))


def define(words, scales, zeros, groups=None, *, bits, groupsize, in_features=-1):
    return _words.weights(words, scales, zeros, groups, bits, groupsize).astype(scales.dtype)


def cases():
    numbers = _random.Numbers()
    near = {"rtol": 1e-6, "why": "the kernel subtracts products and here differences are multiplied", "opsets": range(11, 27)}
    for order in ("", "empty", "plain", "other"):
        inputs = list(_words.inputs(numbers, order=order))
        yield Case(f"order-{order}", inputs=inputs[: 3 if order == "" else 4], attributes={"bits": 4, "groupsize": 32, "in_features": 64}, constants=range(3 if order == "" else 4), **near)
    inputs = list(_words.inputs(numbers, order="other"))
    yield Case("computed", inputs=inputs, attributes={"bits": 4, "groupsize": 32}, shapes="static", **near)
