# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::RotaryEmbedding: pairs of elements turned by angles that depend on their position.

Source: ONNX RotaryEmbedding-23.
"""
import numpy as np

from definition import Case


def define(x, cos, sin, positions, *, interleaved=0):
    cos, sin = (table[positions][:, None] for table in (cos, sin))
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else np.split(x, 2, -1)
    turned = (a * cos - b * sin, b * cos + a * sin)
    return (np.stack(turned, -1).reshape(x.shape) if interleaved else np.concatenate(turned, -1)).astype(x.dtype)


def cases():
    random = np.random.default_rng(12)
    x = random.normal(size=(2, 3, 4, 8)).astype(np.float32)
    angles = random.uniform(0, 6, size=(10, 4))
    positions = np.int64([[0, 1, 2, 3], [5, 6, 7, 9]])
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "A sum of two products may be rounded once or twice.", "opsets": range(10, 27)}
    inputs = [x, np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32), positions]
    yield Case("halves", inputs=inputs, cannot={"openvino": "its RotaryEmbedding wants a known last dimension"}, **near)
    yield Case("interleaved", inputs=inputs, attributes={"interleaved": 1}, cannot={"openvino": "its RotaryEmbedding wants a known last dimension"}, **near)
