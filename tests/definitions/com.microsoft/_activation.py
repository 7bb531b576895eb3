# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The activations of ONNX Runtime's fused operators."""
import inspect
import math

import numpy as np

_ACTIVATIONS = {
    "": lambda x: x,
    "Relu": lambda x: np.maximum(x, 0),
    "Tanh": lambda x: np.tanh(x),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Softplus": lambda x: np.log1p(np.exp(x)),
    "Softsign": lambda x: x / (1 + abs(x)),
    "LeakyRelu": lambda x, alpha=0.01: np.where(x < 0, alpha * x, x),
    "Elu": lambda x, alpha=1.0: np.where(x < 0, alpha * np.expm1(x), x),
    "ThresholdedRelu": lambda x, alpha=1.0: np.where(x > alpha, x, 0),
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: np.clip(alpha * x + beta, 0, 1),
    "ScaledTanh": lambda x, alpha, beta: alpha * np.tanh(beta * x),
    "ParametricSoftplus": lambda x, alpha, beta: alpha * np.log1p(np.exp(beta * x)),
    "Selu": lambda x, alpha=1.67326319217681884765625, gamma=1.05070102214813232421875: gamma * np.where(x > 0, x, alpha * np.expm1(x)),
    "Clip": lambda x, low, high: np.clip(x, low, high),
    "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "Gelu": lambda x: x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2))),
    "Silu": lambda x: x / (1 + np.exp(-x)),
}


def parameters(activation):
    """Their names, in their order."""
    return list(inspect.signature(_ACTIVATIONS[activation]).parameters)[1:] if activation in _ACTIVATIONS else []


def activate(x, activation, values=()):
    """`values` are the parameters, by position or by name."""
    given = values if isinstance(values, dict) else dict(zip(parameters(activation), values))
    return _ACTIVATIONS[activation](x.astype(np.float64), **given).astype(x.dtype)
