# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DequantizeAndUnpackWeight: the weights (K, N) of codes in words, (code - zero point) * scale.

Source: QLLM's exporter, and its kernel for ONNX Runtime.
"""
import numpy as np

from definition import Case, definition_of

_random, _words = (definition_of("com.microsoft", name) for name in ("_random", "_words"))


def define(words, scales, zeros, *, bits, groupsize, in_features=-1):
    return _words.weights(words, scales, zeros, None, bits, groupsize).astype(scales.dtype)


def cases():
    numbers = _random.Numbers()
    near = {"rtol": 1e-6, "why": "the kernel subtracts products and here differences are multiplied", "opsets": range(11, 27)}
    for bits in (2, 4, 8):
        inputs = list(_words.inputs(numbers, bits)[:3])
        for constants in ([0, 1, 2], [1]):
            yield Case(f"{bits}-{len(constants)}", inputs=inputs, attributes={"bits": bits, "groupsize": 32, "in_features": 64}, constants=constants, shapes="static", **near)
    half = list(_words.inputs(numbers, dtype=np.float16)[:3])
    yield Case("float16", inputs=half, attributes={"bits": 4, "groupsize": 32}, constants=[0, 1, 2], **{**near, "rtol": 1e-3})
    short = list(_words.inputs(numbers, k=40, n=10)[:3])
    yield Case("short-group", inputs=short, attributes={"bits": 4, "groupsize": 32, "in_features": 40}, constants=[0, 1, 2], **near)
    yield Case("three-bits", inputs=half, attributes={"bits": 3, "groupsize": 32}, constants=[0, 1, 2], refuse="bits is 3, and not 2, 4 or 8")
    yield Case("other-size", inputs=half, attributes={"bits": 4, "groupsize": 32, "in_features": 60}, constants=[0, 1, 2], refuse="in_features is 60, and there are codes of 64")
