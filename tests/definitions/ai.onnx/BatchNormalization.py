# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BatchNormalization of opset 7, whose statistics may be those of each element of a sample, and of opset 14 in training.

Source: ONNX BatchNormalization-7, BatchNormalization-14.
"""
import numpy as np

from definition import Case


def define(x, scale, bias, mean, variance, *, spatial=1, epsilon=1e-5, momentum=0.9, training_mode=0):
    wide = x.astype(np.float64)
    if training_mode:
        axes = (0, *range(2, x.ndim))
        column = [-1] + [1] * (x.ndim - 2)
        now, spread = wide.mean(axes), wide.var(axes)
        y = (wide - now.reshape(column)) / np.sqrt(spread.reshape(column) + epsilon) * scale.reshape(column) + bias.reshape(column)
        moved = (old * momentum + new * (1 - momentum) for old, new in ((mean, now), (variance, spread)))
        return (y.astype(x.dtype), *(value.astype(mean.dtype) for value in moved))
    assert spatial == 0
    return ((wide - mean) / np.sqrt(variance.astype(np.float64) + epsilon) * scale + bias).astype(x.dtype)


def cases():
    random = np.random.default_rng(3)
    for dtype, near in ((np.float32, 1e-5), (np.float64, 1e-7)):
        x = random.normal(size=(2, 3, 4, 5)).astype(dtype)
        scale, bias, mean = (random.normal(size=(3, 4, 5)).astype(dtype) for _ in range(3))
        variance = random.uniform(0.1, 2, size=(3, 4, 5)).astype(dtype)
        for name, attributes in (("plain", {}), ("epsilon", {"epsilon": 0.1, "momentum": 0.5})):
            yield Case(f"{name}-{np.dtype(dtype)}", inputs=[x, scale, bias, mean, variance], attributes={"spatial": 0, **attributes}, written_for=7,
                       rtol=near, atol=near, why="Roots and quotients round; epsilon is of single precision.")
    for shape in ((4, 3), (2, 3, 5), (2, 3, 4, 5)):
        x = random.normal(size=shape).astype(np.float32)
        scale, bias, mean = (random.normal(size=3).astype(np.float32) for _ in range(3))
        variance = random.uniform(0.1, 2, size=3).astype(np.float32)
        near = {"rtol": 1e-5, "atol": 1e-5, "why": "Sums are made in another order."}
        for name, attributes in (("plain", {}), ("momentum", {"momentum": 0.3, "epsilon": 0.1})):
            yield Case(f"training-{len(shape)}-{name}", inputs=[x, scale, bias, mean, variance], attributes={"training_mode": 1, **attributes}, written_for=15,
                       opsets=range(9, 14), **near)
