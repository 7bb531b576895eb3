# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Attention: softmax(q k^T / sqrt(d) + mask) v, for each head.

Source: ONNX Attention-23.
"""
import numpy as np

from definition import Case


def define(q, k, v, mask=None, *, is_causal=0, scale=None, q_num_heads=None, kv_num_heads=None):
    rank, dtype = q.ndim, q.dtype
    if rank == 3:
        split = lambda x, heads: x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)
        q, k, v = split(q, q_num_heads), split(k, kv_num_heads), split(v, kv_num_heads)
    repeats = q.shape[1] // k.shape[1]
    q, k, v = q.astype(np.float64), np.repeat(k, repeats, 1).astype(np.float64), np.repeat(v, repeats, 1).astype(np.float64)
    scores = q @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    result = weights / weights.sum(-1, keepdims=True) @ v
    return (result.transpose(0, 2, 1, 3).reshape(result.shape[0], result.shape[2], -1) if rank == 3 else result).astype(dtype)


def cases():
    random = np.random.default_rng(11)
    q, k, v = (random.normal(size=(2, heads, length, 8)).astype(np.float32) for heads, length in ((4, 5), (4, 6), (4, 6)))
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "Sums and exponentials are rounded in another order.", "opsets": range(12, 27)}
    yield Case("plain", inputs=[q, k, v], **near)
    yield Case("mask", inputs=[q, k, v, random.normal(size=(5, 6)).astype(np.float32)], **near)
    yield Case("causal", inputs=[q, k, v], attributes={"is_causal": 1, "scale": 0.5}, **near)
    yield Case("grouped", inputs=[q, k[:, :2].copy(), v[:, :2].copy()], **near)
    merged = lambda x: x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)
    yield Case("rank-3", inputs=[merged(q), merged(k), merged(v)], attributes={"q_num_heads": 4, "kv_num_heads": 4}, **near)
