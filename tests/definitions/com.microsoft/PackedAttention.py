# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::PackedAttention: each token attends to those of its own sequence; the tokens of all sequences stand in one list.

Source: ONNX Runtime's contrib operator PackedAttention, which has a kernel for CUDA only.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_packing = definition_of("com.microsoft", "_packing")


def attended(q, k, v, num_heads, scale, counts, attention_bias):
    """Of tokens (tokens, heads * size) each, sequence by sequence."""
    y = np.zeros((len(q), v.shape[1]))
    first = 0
    for entry, count in enumerate(counts):
        parts = [part[first : first + count].reshape(count, num_heads, -1).transpose(1, 0, 2) for part in (q, k, v)]
        scores = parts[0] @ parts[1].transpose(0, 2, 1) * (scale or 1 / np.sqrt(parts[0].shape[2]))
        if attention_bias is not None:
            shared = np.broadcast_to(attention_bias, (len(counts), num_heads, *attention_bias.shape[2:]))
            scores = scores + shared[entry, :, :count, :count]
        powers = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf))
        y[first : first + count] = (powers / powers.sum(-1, keepdims=True) @ parts[2]).transpose(1, 0, 2).reshape(count, -1)
        first += count
    return y


def define(tokens, weights, bias, token_offset, cumulative_sequence_length, attention_bias=None, *, num_heads, qkv_hidden_sizes=None, scale=0.0):
    product = tokens.astype(float) @ weights + bias
    sizes = qkv_hidden_sizes or [product.shape[1] // 3] * 3
    q, k, v = np.split(product, np.cumsum(sizes)[:2], axis=1)
    return attended(q, k, v, num_heads, scale, np.diff(cumulative_sequence_length), attention_bias).astype(tokens.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}

    def inputs(counts, length, bias=None, value=8):
        values = [numbers.floats(sum(counts), 6), numbers.floats(6, 16 + value), numbers.floats(16 + value), _packing.token_offset(counts, length),
                  _packing.cumulated(counts)]
        return values if bias is None else [*values, numbers.floats(*bias)]

    yield Case("ragged", inputs=inputs([1, 4, 2], 5), attributes={"num_heads": 2}, **tolerance)
    yield Case("static", inputs=inputs([1, 4, 2], 5), attributes={"num_heads": 4}, shapes="static", **tolerance)
    yield Case("scale", inputs=inputs([3, 3], 3), attributes={"num_heads": 2, "scale": 0.5}, **tolerance)
    yield Case("bias", inputs=inputs([2, 3], 3, bias=(1, 2, 3, 3)), attributes={"num_heads": 2}, **tolerance)
    yield Case("sizes", inputs=inputs([2, 3], 3, value=12), attributes={"num_heads": 2, "qkv_hidden_sizes": [8, 8, 12]}, **tolerance)
