# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.preview.training::Momentum: a step of gradient descent with momentum, the plain one or Nesterov's.

Source: ONNX Momentum-1.
"""
import numpy as np

from definition import Case


def define(rate, count, *tensors, alpha, beta, mode, norm_coefficient):
    alpha, beta, decay = (np.float64(np.float32(value)) for value in (alpha, beta, norm_coefficient))
    many = len(tensors) // 3
    new, new_momenta = [], []
    for x, g, v in zip(*(tensors[kind * many : (kind + 1) * many] for kind in range(3))):
        gradient = decay * x.astype(np.float64) + g
        momentum = alpha * v + (beta if count > 0 else 1) * gradient
        direction = gradient + alpha * momentum if mode == "nesterov" else momentum
        new.append((x - float(rate) * direction).astype(x.dtype))
        new_momenta.append(momentum.astype(x.dtype))
    return new + new_momenta


def cases():
    random = np.random.default_rng(3)
    near = {"why": "Sums are rounded in another order."}
    for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-14)):
        x, g, v, x2, g2, v2 = (random.random((2, 3) if index < 3 else (4,)).astype(dtype) for index in range(6))
        name = np.dtype(dtype).name
        for mode in ("standard", "nesterov"):
            common = {"attributes": {"alpha": 0.95, "beta": 0.85, "norm_coefficient": 0.001, "mode": mode}, "rtol": tolerance, "atol": tolerance, **near}
            yield Case(f"{mode}-{name}", inputs=[dtype(0.1), np.int64(3), x, g, v], also=[[dtype(0.1), np.int64(0), g, x, v]], **common)
            yield Case(f"{mode}-two-{name}", inputs=[dtype(0.1), np.int64(0), x, x2, g, g2, v, v2], **common)
    lost = {"alpha": 0.95, "beta": 0.85, "norm_coefficient": 0.001}
    yield Case("without-mode", inputs=[dtype(0.1), np.int64(3), x, g, v], attributes=lost, refuse="mode")
    yield Case("another-mode", inputs=[dtype(0.1), np.int64(3), x, g, v], attributes={**lost, "mode": "heavy"}, refuse="mode")
