# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::AttentionOfDecoder: attention to a source, a cache or both.

Source: its rule.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(query, source, q_weight, kv_weight, bias, is_left_out=None, key_cache=None, value_cache=None, *, num_heads):
    whole = definition_of("com.microsoft", "DecoderAttention").attended
    return whole(query, query if source is None else source, q_weight, kv_weight, bias, is_left_out, key_cache, value_cache, num_heads=num_heads, only_cache=source is None)


def cases():
    numbers = _random.Numbers()
    query, source = numbers.floats(3, 2, 8), numbers.floats(4, 2, 8)
    weights = [numbers.floats(8, 8), numbers.floats(8, 16), numbers.floats(24)]
    caches = [numbers.floats(2, 2, 5, 4), numbers.floats(2, 2, 5, 4)]
    fields = {"attributes": {"num_heads": 2}, "rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY}
    yield Case("source", inputs=[query, source, *weights], **fields)
    yield Case("both", inputs=[query, source, *weights, np.arange(18).reshape(2, 9) % 4 == 3, *caches], **fields)
    unused = {"openvino": "it drops inputs that nothing uses"}
    yield Case("cache", inputs=[query, None, *weights, None, *caches], cannot=unused, **fields)
