# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DecoderAttention: the attention of a decoder with cached keys and values.

Source: AttentionForONNX of ONNX Runtime's test/python/transformers/test_parity_decoder_attention.py.
"""
import itertools

import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def attended(query, source, q_weight, kv_weight, bias, mask, key_cache, value_cache, *, num_heads, only_cache):
    def by_head(x):
        steps, batch, hidden = x.shape
        return x.reshape(steps, batch, num_heads, hidden // num_heads).transpose(1, 2, 0, 3)

    hidden = query.shape[2]
    q = by_head(query @ q_weight + bias[:hidden])
    k = by_head(source @ kv_weight[:, :hidden] + bias[hidden : 2 * hidden])
    v = by_head(source @ kv_weight[:, hidden:] + bias[2 * hidden :])
    if key_cache is not None:
        k = key_cache if only_cache else np.concatenate([key_cache, k], 2)
        v = value_cache if only_cache else np.concatenate([value_cache, v], 2)
    scores = q @ k.transpose(0, 1, 3, 2) * q.shape[3] ** -0.5
    if mask is not None:
        scores = np.where(mask[:, None, None], -np.inf, scores)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    output = powers / powers.sum(-1, keepdims=True) @ v
    return output.transpose(2, 0, 1, 3).reshape(query.shape).astype(query.dtype), k, v


def define(query, key, q_weight, kv_weight, bias, key_padding_mask, key_cache, value_cache, static_kv, use_past, has_layer_state, has_key_padding_mask, num_heads, mask_filter_value=-10000.0):
    caches = [key_cache, value_cache] if use_past and has_layer_state else [None, None]
    mask = key_padding_mask if has_key_padding_mask else None
    return attended(query, key if static_kv else query, q_weight, kv_weight, bias, mask, *caches, num_heads=num_heads, only_cache=static_kv)


def cases():
    numbers = _random.Numbers()
    steps, others, batch, heads, size = 3, 4, 2, 2, 4
    hidden = heads * size
    query, key = numbers.floats(steps, batch, hidden), numbers.floats(others, batch, hidden)
    weights = [numbers.floats(hidden, hidden), numbers.floats(hidden, 2 * hidden), numbers.floats(3 * hidden)]
    caches = [numbers.floats(batch, heads, others, size), numbers.floats(batch, heads, others, size)]
    fields = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "cannot": {"openvino": "it drops inputs that nothing uses"}}
    for crosses, past, masks in itertools.product((False, True), repeat=3):
        length = others if crosses else steps + others if past else steps
        mask = numbers.integers(0, 2, batch, length).astype(bool)
        mask[:, 0] = False
        flags = [np.array([flag]) for flag in (crosses, past, True, masks)]
        inputs = [query, key, *weights, mask, *caches, *flags]
        name = f"{'cross' if crosses else 'self'}{'-past' if past else ''}{'-mask' if masks else ''}"
        yield Case(name, inputs=inputs, attributes={"num_heads": heads}, constants=[2, 3, 4, 8, 9, 10, 11], **fields)
    flags = [np.bool_(False), np.bool_(True), np.bool_(False), np.bool_(False)]
    yield Case("no-state", inputs=[query, key, *weights, None, None, None, *flags], attributes={"num_heads": heads}, constants=[8, 9, 10, 11], shapes="static", **fields)
    yield Case("unknown", inputs=[query, key, *weights, None, None, None, *flags], attributes={"num_heads": heads}, constants=[8, 9, 10], refuse="has_key_padding_mask")
