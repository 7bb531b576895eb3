# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.preview.training::Adagrad: a step of AdaGrad.

Source: ONNX Adagrad-1.
"""
import numpy as np

from definition import Case


def define(rate, count, *tensors, norm_coefficient=0.0, decay_factor=0.0, epsilon=1e-6):
    many = len(tensors) // 3
    new, new_squares = [], []
    for x, g, h in zip(tensors[:many], tensors[many : 2 * many], tensors[2 * many :]):
        gradient = np.float32(norm_coefficient) * x + g
        squares = h + gradient * gradient
        new.append((x - rate / (1 + count * np.float32(decay_factor)) * gradient / (np.sqrt(squares) + np.float32(epsilon))).astype(x.dtype))
        new_squares.append(squares.astype(x.dtype))
    return new + new_squares


def cases():
    random = np.random.default_rng(1)
    near = {"why": "Roots, quotients and sums are rounded in another order."}
    for dtype, rtol in ((np.float32, 1e-5), (np.float64, 1e-12)):
        x, g, h, x2, g2, h2 = (random.random((2, 3) if index < 3 else (4,)).astype(dtype) for index in range(6))
        name = np.dtype(dtype).name
        attributes = {"norm_coefficient": 0.001, "decay_factor": 0.1, "epsilon": 1e-5}
        yield Case(f"one-{name}", inputs=[dtype(0.1), np.int64(3), x, g, h], attributes=attributes, rtol=rtol, also=[[dtype(0.1), np.int64(0), g, x, h]], **near)
        yield Case(f"two-{name}", inputs=[dtype(0.1), np.int64(1), x, x2, g, g2, h, h2], attributes=attributes, rtol=rtol, **near)
        yield Case(f"defaults-{name}", inputs=[dtype(0.1), np.int64(1), x, g, h], rtol=rtol, **near)
    yield Case("odd", inputs=[dtype(0.1), np.int64(1), x, g], refuse="3 of each tensor")
