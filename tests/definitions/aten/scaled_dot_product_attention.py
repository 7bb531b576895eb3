# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::scaled_dot_product_attention: softmax(query * key^T * scale + mask) * value.

Source: PyTorch's documentation of torch.nn.functional.scaled_dot_product_attention.
"""
import numpy as np

from definition import Case


def define(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    scores = np.float64(query) @ np.swapaxes(np.float64(key), -1, -2) * (1 / np.sqrt(query.shape[-1]) if scale is None else scale)
    if attn_mask is not None:
        scores = np.where(attn_mask, scores, -np.inf) if attn_mask.dtype == bool else scores + attn_mask
    if is_causal:
        scores = np.where(np.tril(np.ones(scores.shape[-2:], bool)), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True) @ value).astype(query.dtype)


def cases():
    numbers = np.random.default_rng(10)
    query, key, value = (numbers.standard_normal((2, 3, length, 4)).astype(np.float32) for length in (5, 6, 6))
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "sums in another order"}
    no, yes, none = np.bool_(False), np.bool_(True), np.float64(0)
    yield Case("plain", inputs=[query, key, value], **near)
    yield Case("causal", inputs=[query, key, value, None, none, yes, None, no], constants=[4, 5, 7], **near)
    keep = numbers.random((5, 6)) > 0.4
    keep[:, 0] = True
    yield Case("mask-of-truth", inputs=[query, key, value, keep, none, no], constants=[4, 5], **near)
    added = numbers.standard_normal((2, 1, 5, 6)).astype(np.float32)
    yield Case("mask-of-numbers", inputs=[query, key, value, added, none, no, np.float64(0.25)], constants=[4, 5, 6], **near)
    yield Case("one-head", inputs=[query[0, 0], key[0, 0], value[0, 0], None, none, yes], constants=[4, 5], **near)
    yield Case("dropout", inputs=[query, key, value, None, np.float64(0.5), no], constants=[4, 5], refuse="dropout_p is not the constant 0")
    yield Case("grouped", inputs=[query, key, value, None, none, no, None, yes], constants=[4, 5, 7], refuse="enable_gqa")
