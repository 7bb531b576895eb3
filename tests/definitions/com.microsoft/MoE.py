# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MoE: each token goes through the k experts, networks of two layers, whose scores are highest.

normalize_routing_weights makes weights of the scores of the k alone, otherwise of all. Gelu is the approximation by tanh.

Source: ONNX Runtime's contrib operator MoE; of what its CPU kernel has not (three weights, swiglu that is not interleaved), its documentation.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum()


ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: x * sigmoid(x),
    "gelu": lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "identity": lambda x: x,
}


def define(x, router, w1, b1, w2, b2, w3=None, b3=None, *, k=1, activation_type="relu", normalize_routing_weights=0, use_sparse_mixer=0, swiglu_fusion=0,
           swiglu_limit=None, activation_alpha=1.0, activation_beta=0.0):
    tokens = x.reshape(-1, x.shape[-1]).astype(float)
    y = np.zeros_like(tokens)

    def layer(value, weights, biases, expert):
        return weights[expert].astype(float) @ value + (0 if biases is None else biases[expert])

    for index, token in enumerate(tokens):
        scores = router[index].astype(float)
        best = np.argsort(-scores, kind="stable")[:k]
        weights = softmax(scores[best]) if normalize_routing_weights else softmax(scores)[best]
        for expert, weight in zip(best, weights):
            hidden = layer(token, w1, b1, expert)
            if activation_type == "swiglu":
                gate, linear = {0: lambda h: (h, layer(token, w3, b3, expert)), 1: lambda h: (h[::2], h[1::2]), 2: lambda h: np.split(h, 2)}[swiglu_fusion](hidden)
                if swiglu_limit is not None:
                    gate, linear = np.minimum(gate, swiglu_limit), np.clip(linear, -swiglu_limit, swiglu_limit)
                hidden = gate * sigmoid(activation_alpha * gate) * (linear + activation_beta)
            else:
                hidden = ACTIVATIONS[activation_type](hidden) * (1 if w3 is None else layer(token, w3, b3, expert))
            y[index] += weight * layer(hidden, w2, b2, expert)
    return y.reshape(x.shape).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}  # ScatterElements

    def inputs(shape=(5,), fused=1, biases=True, third=False):
        weights = [numbers.floats(4, 8 * fused, 6), numbers.floats(4, 8 * fused) if biases else None, numbers.floats(4, 6, 8), numbers.floats(4, 6) if biases else None]
        if third:
            weights += [numbers.floats(4, 8, 6), numbers.floats(4, 8) if biases else None]
        return [numbers.floats(*shape, 6), numbers.floats(int(np.prod(shape)), 4), *weights]

    for activation in ACTIVATIONS:
        yield Case(activation, inputs=inputs(), attributes={"k": 2, "activation_type": activation}, **tolerance)
    yield Case("one-expert", inputs=inputs(biases=False), **tolerance)
    yield Case("normalized", inputs=inputs((2, 3)), attributes={"k": 2, "normalize_routing_weights": 1}, **tolerance)
    yield Case("static", inputs=inputs((2, 3)), attributes={"k": 3, "use_sparse_mixer": 0}, shapes="static", **tolerance)
    swiglu = {"k": 2, "normalize_routing_weights": 1, "activation_type": "swiglu"}
    bounded = {"activation_alpha": 1.702, "activation_beta": 1.0, "swiglu_limit": 1.0}
    yield Case("swiglu", inputs=inputs(fused=2), attributes={**swiglu, "swiglu_fusion": 1}, **tolerance)
    yield Case("swiglu-bounded", inputs=inputs(fused=2), attributes={**swiglu, **bounded, "swiglu_fusion": 1}, **tolerance)
    no_kernel = {"cannot": {"kernel": "it has interleaved swiglu and two weights only"}}
    yield Case("swiglu-concatenated", inputs=inputs(fused=2), attributes={**swiglu, **bounded, "swiglu_fusion": 2}, **tolerance, **no_kernel)
    yield Case("swiglu-separate", inputs=inputs(third=True), attributes=swiglu, **tolerance, **no_kernel)
    yield Case("gated", inputs=inputs(third=True), attributes={"k": 2, "activation_type": "silu"}, **tolerance, **no_kernel)
    yield Case("swiglu-alone", inputs=inputs(), attributes=swiglu, refuse="swiglu_fusion is 0, and it has no third weights")
