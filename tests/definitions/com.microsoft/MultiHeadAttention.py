# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MultiHeadAttention: attention of projected queries, keys and values.

Source: ONNX Runtime's contrib operator MultiHeadAttention.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_attention = definition_of("com.microsoft", "_attention")


def define(query, key=None, value=None, bias=None, key_padding_mask=None, attention_bias=None, past_key=None, past_value=None,
           past_sequence_length=None, *, num_heads,
           mask_filter_value=-10000.0, scale=0.0, unidirectional=0):
    if key is None:  # (B, S, N, 3, H)
        q, k, v = (query[:, :, :, part].transpose(0, 2, 1, 3).astype(np.float64) for part in range(3))
    else:
        parts = [0.0, 0.0, 0.0] if bias is None else np.split(bias, [query.shape[2], 2 * query.shape[2]])
        q = _attention.heads(query + parts[0], num_heads)
        if key.ndim == 5:  # (B, L, N, 2, H)
            k, v = (key[:, :, :, part].transpose(0, 2, 1, 3).astype(np.float64) for part in range(2))
        elif key.ndim == 4:
            k, v = key.astype(np.float64), value.astype(np.float64)
        else:
            k, v = _attention.heads(key + parts[1], num_heads), _attention.heads(value + parts[2], num_heads)
    before = 0
    presents = None
    if past_sequence_length is not None:
        # The past is a buffer with room, in which the new ones are put behind those that are there.
        before, end = int(np.ravel(past_sequence_length)[0]), int(np.ravel(past_sequence_length)[0]) + k.shape[2]
        presents = [np.concatenate([past[:, :, :before], new, past[:, :, end:]], axis=2) for past, new in ((past_key, k), (past_value, v))]
        k, v = (present[:, :, :end] for present in presents)
    elif past_key is not None:
        before = past_key.shape[2]
        k, v = np.concatenate([past_key, k], axis=2), np.concatenate([past_value, v], axis=2)
    added = _attention.added_by(key_padding_mask, mask_filter_value, query.shape[0], k.shape[2])
    if attention_bias is not None:
        added = added + attention_bias
    y = _attention.attend(q, k, v, scale=scale, added=added, causal=unidirectional, past=before)
    return tuple(part.astype(query.dtype) for part in (y, *(presents or (k, v))))


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    one = {"outputs": 1, **tolerance}
    from_10 = {"opsets": range(10, 27)}  # Slice has had bounds that are computed since opset 10
    heads = {"num_heads": 4}
    q, k, v = numbers.floats(2, 5, 16), numbers.floats(2, 7, 16), numbers.floats(2, 7, 8)
    yield Case("cross", inputs=[q, k, v], attributes=heads, **one)
    yield Case("cross-static", inputs=[q, k, v, numbers.floats(40)], attributes=heads, shapes="static", **one)
    yield Case("bias", inputs=[q, k, v, numbers.floats(40)], attributes=heads, **from_10, **one)
    yield Case("padding", inputs=[q, k, v, None, numbers.integers(0, 2, 2, 7, dtype=np.int32)], attributes=heads, **one)
    yield Case("lengths", inputs=[q, k, v, None, np.int32([3, 6])], attributes=heads, **from_10, **one)
    # Lengths with what the kernels of a GPU read behind them: where queries and keys begin, and end.
    yield Case("lengths-and-offsets", inputs=[q, k, v, None, np.int32([3, 6, 0, 5, 10, 0, 3, 9])], attributes=heads, **from_10, **one)
    yield Case("padding-per-query", inputs=[q, k, v, None, numbers.integers(0, 2, 2, 5, 7, dtype=np.int32)], attributes=heads, **one)
    yield Case("attention-bias", inputs=[q, k, v, None, None, numbers.floats(1, 4, 5, 7)], attributes={"num_heads": 4, "scale": 0.25}, **one)
    past = [numbers.floats(2, 4, 3, 4), numbers.floats(2, 4, 3, 4)]
    own = [q, numbers.floats(2, 5, 16), numbers.floats(2, 5, 16)]
    yield Case("past", inputs=[*own, None, None, None, *past], attributes=heads, **tolerance)
    yield Case("past-causal", inputs=[*own, numbers.floats(48), None, numbers.floats(2, 1, 5, 8), *past],
               attributes={"num_heads": 4, "unidirectional": 1}, **from_10, **tolerance)
    no_kernel = {"cannot": {"kernel": "it wants to give all outputs, and leaves the present behind the new rows as it was in memory"}}
    room = [numbers.floats(2, 4, 8, 4), numbers.floats(2, 4, 8, 4)]
    buffer = {"also": [[*own, None, None, None, *room, np.int32([3])]], **from_10}
    yield Case("buffer", inputs=[*own, None, None, None, *room, np.int32([3])], attributes=heads, **from_10, **tolerance)
    yield Case("buffer-with-room", inputs=[*own, None, None, None, *room, np.int32([1])], attributes=heads, **buffer, **one, **no_kernel)
    yield Case("buffer-causal", inputs=[*own, None, None, None, *room, np.int32([2])], attributes={"num_heads": 4, "unidirectional": 1}, **from_10, **one, **no_kernel)
    yield Case("present", inputs=own, attributes={"num_heads": 4, "unidirectional": 1}, **tolerance)
    causal = {"num_heads": 4, "unidirectional": 1}
    one_query = numbers.floats(2, 1, 16)
    yield Case("causal-one-query", inputs=[one_query, k, v], attributes=causal, **one)
    yield Case("causal-one-query-padding", inputs=[one_query, k, v, None, numbers.integers(0, 2, 2, 7, dtype=np.int32)], attributes=causal, **one)
    yield Case("causal-more-keys", inputs=[q, k, v], attributes=causal, **one)
    yield Case("causal-fewer-keys", inputs=[numbers.floats(2, 9, 16), k, v], attributes=causal, shapes="static", **one)
    yield Case("causal-as-many-keys", inputs=own, attributes=causal, shapes="static", **one)
    yield Case("causal-keys-in-heads", inputs=[q, numbers.floats(2, 4, 7, 4), numbers.floats(2, 4, 7, 4)], attributes=causal, shapes="static", **one)
    yield Case("causal-more-keys-past", inputs=[q, k, numbers.floats(2, 7, 16), None, None, None, *past], attributes=causal, **tolerance)
    yield Case("keys-in-heads", inputs=[q, numbers.floats(2, 4, 7, 4), numbers.floats(2, 4, 7, 4)], attributes=heads, **one)
    yield Case("packed-qkv", inputs=[numbers.floats(2, 5, 4, 3, 4)], attributes=heads, **one)
    yield Case("packed-kv", inputs=[q, numbers.floats(2, 7, 4, 2, 4)], attributes=heads, **one)
