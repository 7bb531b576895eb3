# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::RMSNormalization: the last axes divided by the root of their mean square, then scaled.

Source: ONNX RMSNormalization-23.
"""
import numpy as np

from definition import Case


def define(x, scale, *, axis=-1, epsilon=1e-5):
    axes = tuple(range(axis if axis >= 0 else axis + x.ndim, x.ndim))
    wide = x.astype(np.float64)
    return (wide / np.sqrt(np.square(wide).mean(axes, keepdims=True) + epsilon) * scale).astype(x.dtype)


def cases():
    random = np.random.default_rng(8)
    x, scale = random.normal(size=(2, 3, 8)).astype(np.float32), random.normal(size=8).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "Squares are summed in another order."}
    yield Case("plain", inputs=[x, scale], **near)
    yield Case("axis", inputs=[x, np.float32(random.normal(size=(3, 8)))], attributes={"axis": 1, "epsilon": 0.1}, **near)
    for constants in ((), (1,)):
        yield Case(f"number-{len(constants)}", inputs=[x[0, 0], np.float32(2.5)], constants=constants, also=[] if constants else [[x[0, 1], np.float32(-1)]], opsets=(9, 13, 18, 22, 23), **near)
    yield Case("double", inputs=[x.astype(np.float64), scale.astype(np.float64)], rtol=1e-11, atol=1e-11, why="Squares are summed in another order, and epsilon is a float.", cannot={"openvino": "it computes double as float"})
