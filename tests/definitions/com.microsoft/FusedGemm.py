# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::FusedGemm: Gemm through an activation.

Source: ONNX Runtime's contrib operator FusedGemm.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_activation = definition_of("com.microsoft", "_activation")


def define(a, b, c=None, alpha=1.0, beta=1.0, transA=0, transB=0, activation="", activation_alpha=None, activation_beta=None,
           activation_gamma=None):
    y = alpha * ((a.T if transA else a).astype(np.float64) @ (b.T if transB else b))
    if c is not None:
        y = y + beta * c
    given = {"alpha": activation_alpha, "beta": activation_beta, "gamma": activation_gamma}
    parameters = {name: given[name] for name in _activation.parameters(activation) if given[name] is not None}
    return _activation.activate(y, activation, parameters).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    a, b, c = numbers.floats(3, 4), numbers.floats(5, 4), numbers.floats(5)
    for activation, parameters in (
        ("Relu", {}),
        ("Sigmoid", {}),
        ("LeakyRelu", {"activation_alpha": 0.25}),
        ("Elu", {"activation_alpha": 0.75}),
        ("HardSigmoid", {"activation_alpha": 0.25, "activation_beta": 0.375}),
        ("Selu", {"activation_alpha": 1.5, "activation_gamma": 1.25}),
        ("Selu", {"activation_alpha": 1.5, "activation_beta": 0.5, "activation_gamma": 1.25}),
        ("Selu", {"activation_gamma": 1.25}),
        ("ScaledTanh", {"activation_alpha": 1.5, "activation_beta": 0.75}),
        ("ParametricSoftplus", {"activation_alpha": 1.5, "activation_beta": 0.75}),
        ("ThresholdedRelu", {"activation_alpha": 0.5}),
        ("Softplus", {}),
        ("Softsign", {}),
    ):
        attributes = {"activation": activation, "transB": 1, "alpha": 0.5, "beta": 2.0, **parameters}
        opsets = range(10, 27) if activation == "ThresholdedRelu" else range(9, 27)
        name = "-".join([activation, *(parameter.removeprefix("activation_") for parameter in parameters)])
        yield Case(name, inputs=[a, b, c], attributes=attributes, opsets=opsets, **tolerance)
    yield Case("no-summand", inputs=[a, b.T.copy()], attributes={"activation": "Tanh"}, **tolerance)
    yield Case("half-scaled", inputs=[a, b], attributes={"activation": "ScaledTanh", "activation_alpha": 0.5, "transB": 1}, refuse="ScaledTanh has no two parameters")
    yield Case("unknown", inputs=[a, b], attributes={"activation": "Snake", "transB": 1}, refuse="it does not know the activation Snake")
