# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DecoderMaskedMultiHeadAttention: attention of a new token to itself and a cache, or to what an encoder has given.

Source: ONNX Runtime's contrib operator DecoderMaskedMultiHeadAttention, and its CPU kernel.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_attention = definition_of("com.microsoft", "_attention")


def define(query, key, value, mask=None, attention_bias=None, past_key=None, past_value=None, past_length=None, beam_width=None, cache_indirection=None, bias=None, *,
           num_heads, scale=0.0, mask_filter_value=-10000.0, past_present_share_buffer=0):
    width = query.shape[2]
    biases = np.zeros((3, width)) if bias is None else bias.reshape(3, width)
    q = _attention.heads(query + biases[0], num_heads).astype(float)
    if past_key is None:
        present, total = (key, value), key.shape[2]
    else:
        present, total = (past_key.copy(), past_value.copy()), int(past_length[0]) + 1
        for cache, new, part in zip(present, (key, value), biases[1:]):
            cache[:, :, total - 1] = _attention.heads(new + part, num_heads)[:, :, 0]
    scores = q @ present[0][:, :, :total].astype(float).swapaxes(2, 3) * (scale or 1 / np.sqrt(q.shape[3]))
    scores = scores if attention_bias is None else scores + attention_bias
    scores = scores if mask is None else scores + np.where(mask > 0, 0, mask_filter_value)[:, None, None]
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    y = _attention.merged(weights / weights.sum(-1, keepdims=True) @ present[1][:, :, :total]).astype(query.dtype)
    return y if past_key is None else (y, *present)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    new = [numbers.floats(2, 1, 12) for _ in range(3)]
    cache, bias = [numbers.floats(2, 3, 6, 4) for _ in range(2)], numbers.floats(36)
    mask, scores_bias = np.int32([[1, 0, 1, 1], [1, 1, 0, 1]]), numbers.floats(1, 3, 1, 4)
    shared = {"num_heads": 3, "past_present_share_buffer": 1}
    yield Case("cache", inputs=[*new, None, None, *cache, np.int32([3])], attributes=shared, also=[[*new, None, None, *cache, np.int32([5])]], **tolerance)
    full = [*new, mask, scores_bias, *cache, np.int32([3]), np.int32([1]), None, bias]
    yield Case("all", inputs=full, attributes=shared | {"scale": 0.7, "mask_filter_value": -5.0}, shapes="static", **tolerance)
    encoded = [new[0], *cache, np.int32([[1, 1, 0, 1, 0, 1]] * 2), *[None] * 6, bias]
    yield Case("encoder", inputs=encoded, attributes={"num_heads": 3}, shapes="static", **tolerance)
    yield Case("half", inputs=[value.astype(np.float16) for value in (new[0], *cache)], attributes={"num_heads": 3}, opsets=(18,), refuse="dtype(query) is float16, not float")
    beams = [*new, None, None, *cache, np.int32([3]), np.int32([2]), np.zeros((1, 2, 6), np.int32)]
    yield Case("beams", inputs=beams, attributes=shared, opsets=(18,), refuse="cache_indirection")
