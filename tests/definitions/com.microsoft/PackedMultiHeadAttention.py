# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::PackedMultiHeadAttention: the same as PackedAttention of queries, keys and values that were projected before.

Source: ONNX Runtime's contrib operator PackedMultiHeadAttention, which has a kernel for CUDA only.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_packing = definition_of("com.microsoft", "_packing")
attended = definition_of("com.microsoft", "PackedAttention").attended


def define(query, key, value, bias, token_offset, cumulative_sequence_length, attention_bias=None, *, num_heads, mask_filter_value=-10000.0, scale=0.0):
    dtype = query.dtype
    if key is None:
        query, key, value = (query[:, :, part].reshape(len(query), -1) for part in range(3))
    if bias is not None:
        query, key, value = (part + own for part, own in zip((query, key, value), np.split(bias, np.cumsum([query.shape[1], key.shape[1]]))))
    return attended(query.astype(float), key, value, num_heads, scale, np.diff(cumulative_sequence_length), attention_bias).astype(dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "opsets": range(11, 27)}

    def packing(counts, length):
        return [_packing.token_offset(counts, length), _packing.cumulated(counts)]

    ragged = packing([1, 4, 2], 5)
    three = [numbers.floats(7, 8), numbers.floats(7, 8), numbers.floats(7, 12)]
    yield Case("ragged", inputs=[*three, None, *ragged], attributes={"num_heads": 2}, **tolerance)
    yield Case("bias", inputs=[*three, numbers.floats(28), *ragged], attributes={"num_heads": 4, "scale": 0.5}, **tolerance)
    yield Case("attention-bias", inputs=[*three, None, *ragged, numbers.floats(3, 1, 5, 5)], attributes={"num_heads": 2}, shapes="static", **tolerance)
    yield Case("packed", inputs=[numbers.floats(7, 2, 3, 4), None, None, None, *ragged], attributes={"num_heads": 2, "mask_filter_value": -5000.0}, **tolerance)
