# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BatchNormalization of opset 7, whose statistics may be those of each element of a sample.

Source: ONNX BatchNormalization-7.
"""
import numpy as np

from definition import Case


def define(x, scale, bias, mean, variance, *, spatial=1, epsilon=1e-5, momentum=0.9):
    assert spatial == 0
    wide = np.float64
    return ((x.astype(wide) - mean) / np.sqrt(variance.astype(wide) + epsilon) * scale + bias).astype(x.dtype)


def cases():
    random = np.random.default_rng(3)
    for dtype, near in ((np.float32, 1e-5), (np.float64, 1e-7)):
        x = random.normal(size=(2, 3, 4, 5)).astype(dtype)
        scale, bias, mean = (random.normal(size=(3, 4, 5)).astype(dtype) for _ in range(3))
        variance = random.uniform(0.1, 2, size=(3, 4, 5)).astype(dtype)
        for name, attributes in (("plain", {}), ("epsilon", {"epsilon": 0.1, "momentum": 0.5})):
            yield Case(f"{name}-{np.dtype(dtype)}", inputs=[x, scale, bias, mean, variance], attributes={"spatial": 0, **attributes}, written_for=7,
                       rtol=near, atol=near, why="Roots and quotients round; epsilon is of single precision.")
