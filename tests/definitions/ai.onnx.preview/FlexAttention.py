# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.preview::FlexAttention: softmax(score_mod(q k^T * scale)) v, for each head. tests/python/test_backend_models.py has onnx's own tests of it.

Source: ONNX FlexAttention-1.
"""
import numpy as np

from definition import Case


def define(q, k, v, *, scale=None):
    repeats = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeats, 1).astype(np.float64), np.repeat(v, repeats, 1).astype(np.float64)
    scores = q @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True) @ v).astype(q.dtype)


def cases():
    random = np.random.default_rng(6)
    q, k, v = (random.normal(size=(2, heads, length, 8)).astype(np.float32) for heads, length in ((4, 5), (2, 6), (2, 6)))
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "Sums and exponentials are rounded in another order.", "shapes": "static"}
    yield Case("grouped", inputs=[q, k, v], **near)
    yield Case("scale", inputs=[q[:, :2].copy(), k, v], attributes={"scale": 0.7}, **near)
