# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::FusedMatMulActivation: FusedMatMul through an activation.

Source: ONNX Runtime's contrib operator FusedMatMulActivation.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_activation = definition_of("com.microsoft", "_activation")
fused_mat_mul = definition_of("com.microsoft", "FusedMatMul").define


def define(a, b, activation, activation_alpha=None, activation_beta=None, activation_gamma=None, **attributes):
    parameters = [value for value in (activation_alpha, activation_beta, activation_gamma) if value is not None]
    return _activation.activate(fused_mat_mul(a, b, **attributes), activation, parameters)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    for activation, parameters in (("Relu", {}), ("Tanh", {}), ("LeakyRelu", {"activation_alpha": 0.25})):
        attributes = {"activation": activation, "transB": 1, "alpha": 0.5, **parameters}
        yield Case(activation, inputs=[numbers.floats(3, 4), numbers.floats(5, 4)], attributes=attributes, **tolerance)
