# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.preview.training::Adam: a step of Adam.

Source: ONNX Adam-1.
"""
import numpy as np

from definition import Case


def define(rate, count, *tensors, alpha=0.9, beta=0.999, epsilon=1e-6, norm_coefficient=0.0, norm_coefficient_post=0.0):
    alpha, beta, epsilon, before, after = (np.float64(np.float32(value)) for value in (alpha, beta, epsilon, norm_coefficient, norm_coefficient_post))
    many = len(tensors) // 4
    new, new_means, new_squares = [], [], []
    for x, g, v, h in zip(*(tensors[kind * many : (kind + 1) * many] for kind in range(4))):
        gradient = before * x.astype(np.float64) + g
        mean = alpha * v + (1 - alpha) * gradient
        square = beta * h + (1 - beta) * gradient**2
        adjusted = float(rate) * (np.sqrt(1 - beta ** int(count)) / (1 - alpha ** int(count)) if count > 0 else 1)
        new.append(((1 - after) * (x - adjusted * mean / (np.sqrt(square) + epsilon))).astype(x.dtype))
        new_means.append(mean.astype(x.dtype))
        new_squares.append(square.astype(x.dtype))
    return new + new_means + new_squares


def cases():
    random = np.random.default_rng(2)
    near = {"why": "Roots, quotients and sums are rounded in another order, and 1 - beta**T loses digits."}
    for dtype, rtol in ((np.float32, 2e-4), (np.float64, 1e-11)):
        x, g, v, h, x2, g2, v2, h2 = (random.random((2, 3) if index < 4 else (4,)).astype(dtype) for index in range(8))
        name = np.dtype(dtype).name
        attributes = {"alpha": 0.95, "beta": 0.85, "norm_coefficient": 0.001, "norm_coefficient_post": 0.01, "epsilon": 1e-2}
        yield Case(f"one-{name}", inputs=[dtype(0.1), np.int64(3), x, g, v, h], attributes=attributes, rtol=rtol, also=[[dtype(0.2), np.int64(0), g, x, v, h]], **near)
        yield Case(f"two-{name}", inputs=[dtype(0.1), np.int64(1), x, x2, g, g2, v, v2, h, h2], attributes=attributes, rtol=rtol, **near)
        yield Case(f"defaults-{name}", inputs=[dtype(0.1), np.int64(2), x, g, v, h], rtol=rtol, **near)
    yield Case("odd", inputs=[dtype(0.1), np.int64(1), x, g, v], refuse="4 of each tensor")
