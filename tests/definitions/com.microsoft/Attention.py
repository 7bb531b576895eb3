# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::Attention: self attention, the weights of Q, K and V side by side in one matrix.

Source: ONNX Runtime's contrib operator Attention.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_attention = definition_of("com.microsoft", "_attention")


def define(x, weights, bias=None, mask_index=None, past=None, attention_bias=None, *, num_heads, unidirectional=0, scale=0.0,
           mask_filter_value=-10000.0, qkv_hidden_sizes=None):
    projection = x.astype(np.float64) @ weights
    if bias is not None:
        projection = projection + bias
    sizes = qkv_hidden_sizes or [weights.shape[1] // 3] * 3
    q, k, v = (_attention.heads(part, num_heads) for part in np.split(projection, np.cumsum(sizes)[:2], axis=-1))
    before = 0
    if past is not None:
        before = past.shape[3]
        k, v = np.concatenate([past[0], k], axis=2), np.concatenate([past[1], v], axis=2)
    added = _attention.added_by(mask_index, mask_filter_value, x.shape[0], k.shape[2])
    if attention_bias is not None:
        added = added + attention_bias
    y = _attention.attend(q, k, v, scale=scale, added=added, causal=unidirectional, past=before)
    present = np.stack([k, v]).astype(x.dtype) if k.shape == v.shape else None
    return y.astype(x.dtype), present


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY}
    x, w, bias = numbers.floats(2, 5, 16), numbers.floats(16, 48), numbers.floats(48)
    one = {"outputs": 1, "constants": [1, 2], **tolerance}
    # Where all keys are masked, -10000 takes the last digits of every score.
    coarse = {**one, "rtol": 2e-3, "atol": 2e-3}
    from_10 = {"opsets": range(10, 27), **one}  # Slice has had bounds that are computed since opset 10
    heads = {"num_heads": 4}
    causal = {"num_heads": 4, "unidirectional": 1}
    yield Case("plain", inputs=[x, w, bias], attributes=heads, **one)
    yield Case("no-bias", inputs=[x, w], attributes=heads, outputs=1, **tolerance)
    yield Case("dynamic-weights", inputs=[x, w, bias], attributes=heads, outputs=1, **tolerance)
    yield Case("causal", inputs=[x, w, bias], attributes=causal, **one)
    ends = np.int32([3, 5])
    yield Case("ends", inputs=[x, w, bias, ends], attributes=heads, **from_10)
    yield Case("ends-and-starts", inputs=[x, w, bias, np.int32([3, 5, 1, 0])], attributes=heads, **from_10)
    yield Case("ends-causal", inputs=[x, w, bias, ends], attributes=causal, **from_10)
    raw = np.int32([[1, 1, 0, 1, 0], [0, 0, 0, 0, 0]])
    yield Case("raw-mask", inputs=[x, w, bias, raw], attributes=heads, **coarse)
    yield Case("raw-mask-causal", inputs=[x, w, bias, raw], attributes=causal, **coarse)
    cube = numbers.integers(0, 2, 2, 5, 5, dtype=np.int32)
    yield Case("mask-per-query", inputs=[x, w, bias, cube], attributes=heads, **one)
    yield Case("filter", inputs=[x, w, bias, raw], attributes={"num_heads": 4, "mask_filter_value": -3.0, "scale": 0.25}, **one)
    yield Case("attention-bias", inputs=[x, w, bias, None, None, numbers.floats(2, 4, 5, 5)], attributes=heads, **one)
    yield Case("attention-bias-broadcast", inputs=[x, w, bias, raw, None, numbers.floats(1, 1, 5, 5)], attributes=causal, **coarse)
    past = numbers.floats(2, 2, 4, 3, 4)
    both = {"constants": [1, 2], **tolerance}
    yield Case("past", inputs=[x, w, bias, None, past], attributes=heads, **both)
    long_mask = numbers.integers(0, 2, 2, 8, dtype=np.int32)
    yield Case("past-causal-mask", inputs=[x, w, bias, long_mask, past], attributes=causal, **both)
    yield Case("present", inputs=[x, w, bias], attributes=causal, **both)
    narrow = {"num_heads": 4, "qkv_hidden_sizes": [16, 16, 8]}
    yield Case("narrow-values", inputs=[x, numbers.floats(16, 40), numbers.floats(40)], attributes=narrow, **one)
    yield Case("narrow-values-present", inputs=[x, numbers.floats(16, 40), numbers.floats(40)], attributes=narrow, constants=[1, 2],
               expected=[x, x], refuse="past and present hold keys and values of one size")
    yield Case("one-column-of-mask", inputs=[x, w, bias, np.zeros((2, 1), np.int32)], attributes=heads, shapes="static",
               define=lambda x, w, bias, mask, **attributes: define(x, w, bias, **attributes), **one)
    half = [x.astype(np.float16), (w / 4).astype(np.float16), bias.astype(np.float16), raw]
    yield Case("float16", inputs=half, attributes=heads, outputs=1, constants=[1, 2], rtol=2e-2, atol=2e-2, why="float16 has eleven bits")
    yield Case("unranked-mask", inputs=[x, w, bias, raw], attributes=heads, outputs=1, shapes=["symbolic", "static", "static", "unranked"],
               refuse="the rank of mask_index is not known")
    yield Case("rotary", inputs=[x, w, bias], attributes={"num_heads": 4, "do_rotary": 1}, outputs=1, refuse="do_rotary is set")
