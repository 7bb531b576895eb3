# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QuantNbitsGemm: x times the weights (K, N) of codes in words. Its kernel reads neither the bias nor the groups.

Source: QLLM's exporter, and its kernel for ONNX Runtime.
"""
import numpy as np

from definition import Case, definition_of

_random, _words = (definition_of("com.microsoft", name) for name in ("_random", "_words"))


def define(x, words, scales, zeros, bias=None, groups=None, *, in_features, bits=3, groupsize=128):
    return (x.astype(float) @ _words.weights(words, scales, zeros, None, bits, groupsize)).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    near = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}

    def case(name, order="plain", constants=range(1, 6), dtype=np.float32, **more):
        words, scales, zeros, groups = _words.inputs(numbers, k=256, group=128, order=order, dtype=dtype)
        inputs = [numbers.floats(2, 3, 256).astype(dtype), words, scales, zeros, np.zeros(1, dtype), groups]
        return Case(name, inputs=inputs, attributes={"in_features": 256, "bits": 4}, constants=constants, **{**near, **more})

    yield case("plain")
    yield case("computed", constants=[5], shapes="static")
    yield case("float16", dtype=np.float16, rtol=1e-2, atol=2e-1)
    yield case("out-of-order", order="other", refuse="its kernel takes columns in the order of their groups only")
