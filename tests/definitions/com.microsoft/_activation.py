"""The activations of ONNX Runtime's fused operators."""
import math

import numpy as np

_ACTIVATIONS = {
    "": lambda x: x,
    "Relu": lambda x: np.maximum(x, 0),
    "Tanh": np.tanh,
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Softplus": lambda x: np.log1p(np.exp(x)),
    "Softsign": lambda x: x / (1 + abs(x)),
    "LeakyRelu": lambda x, alpha=0.01: np.where(x < 0, alpha * x, x),
    "Elu": lambda x, alpha=1.0: np.where(x < 0, alpha * np.expm1(x), x),
    "ThresholdedRelu": lambda x, alpha=1.0: np.where(x > alpha, x, 0),
    "HardSigmoid": lambda x, alpha=0.2, beta=0.5: np.clip(alpha * x + beta, 0, 1),
    "Selu": lambda x, alpha, gamma: gamma * np.where(x > 0, x, alpha * np.expm1(x)),
    "Clip": lambda x, low, high: np.clip(x, low, high),
    "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "Gelu": lambda x: x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2))),
    "Silu": lambda x: x / (1 + np.exp(-x)),
}


def activate(x, activation, parameters=()):
    return _ACTIVATIONS[activation](x.astype(np.float64), *parameters).astype(x.dtype)
