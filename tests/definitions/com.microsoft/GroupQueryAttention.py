# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GroupQueryAttention: causal attention in which groups of query heads share keys and values.

Of each batch entry seqlens_k + 1 keys are valid. In a prompt (as many new keys as total_sequence_length) all are new; otherwise the new ones
stand behind those of the past. A head_sink is one further score of each head, which takes weight and gives no value (smooth_softmax: it is 0). Queries and keys
may be normalized by their root mean square before they are turned. As scores, qk_output gives 0 for keys that a query does not see. What the padded rows of a query give is of no meaning, and not compared. Of the position_ids of a prompt ONNX Runtime's
kernel reads the first alone, and counts on from there.

Source: ONNX Runtime's contrib operator GroupQueryAttention.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_attention = definition_of("com.microsoft", "_attention")
rotate = definition_of("com.microsoft", "RotaryEmbedding").rotate


def define(query, key, value, past_key, past_value, seqlens_k, total_sequence_length, cos_cache=None, sin_cache=None, position_ids=None,
           attention_bias=None, head_sink=None, k_scale=None, v_scale=None, q_norm_weight=None, k_norm_weight=None, *, num_heads, kv_num_heads, do_rotary=0,
           rotary_interleaved=0, local_window_size=-1, scale=0.0, softcap=0.0, smooth_softmax=0, qk_output=0, qk_norm_epsilon=1e-6):
    if key is None:
        packed = _attention.heads(query, num_heads + 2 * kv_num_heads)
        q, k, v = np.split(packed, [num_heads, num_heads + kv_num_heads], axis=1)
    else:
        q, k, v = _attention.heads(query, num_heads), _attention.heads(key, kv_num_heads), _attention.heads(value, kv_num_heads)
    if smooth_softmax:
        head_sink = np.zeros(num_heads)
    if q_norm_weight is not None:
        q, k = (x / np.sqrt((x.astype(float) ** 2).mean(-1, keepdims=True) + qk_norm_epsilon) * weight for x, weight in ((q, q_norm_weight), (k, k_norm_weight)))
    batch, _, steps, size = q.shape
    total = int(total_sequence_length)
    rows = total if past_key is None else max(total, past_key.shape[2])
    present = np.zeros((2, batch, kv_num_heads, rows, size))
    y = np.zeros((batch, num_heads, steps, size))
    output_qk = np.zeros((batch, num_heads, steps, total))
    for entry in range(batch):
        length = int(seqlens_k[entry]) + 1
        before = 0 if steps == total else length - steps
        positions = before + np.arange(steps)
        if position_ids is not None:
            positions = position_ids[0, 0] + np.arange(steps) if steps == total else position_ids[entry]
        entry_q, entry_k = q[entry], k[entry]
        if do_rotary:
            entry_q = rotate(entry_q, cos_cache[positions], sin_cache[positions], rotary_interleaved)
            entry_k = rotate(entry_k, cos_cache[positions], sin_cache[positions], rotary_interleaved)
        for cache, past, new in ((present[0], past_key, entry_k), (present[1], past_value, v[entry])):
            if before:
                cache[entry, :, :before] = past[entry, :, :before]
            cache[entry, :, before : before + steps] = new
            if past_key is not None:
                cache[entry, :, length:] = 0
        for head in range(num_heads):
            group = head * kv_num_heads // num_heads
            scores = entry_q[head] @ present[0, entry, group, :total].T * (scale or 1 / np.sqrt(size))
            if softcap:
                scores = softcap * np.tanh(scores / softcap)
            if attention_bias is not None:
                shared = np.broadcast_to(attention_bias, (batch, num_heads, *attention_bias.shape[2:]))
                scores = scores + shared[entry, head]
            own = before + np.arange(steps)[:, None]
            keys = np.arange(total)[None, :]
            seen = (keys <= own) & (keys < length)
            if local_window_size > 0:
                seen &= keys > own - local_window_size
            output_qk[entry, head] = np.where(seen, scores, 0)
            scores = np.where(seen, scores, -np.inf)
            greatest = scores.max(-1, keepdims=True)
            if head_sink is not None:
                greatest = np.maximum(greatest, head_sink[head])
            powers = np.exp(scores - greatest)
            weights = powers / (powers.sum(-1, keepdims=True) + (0 if head_sink is None else np.exp(head_sink[head] - greatest)))
            if qk_output == 2:
                output_qk[entry, head] = weights
            y[entry, head] = weights @ present[1, entry, group, :total]
    outputs = (_attention.merged(y), *present) + ((output_qk,) if qk_output else ())
    return tuple(part.astype(query.dtype) for part in outputs)


def cases():
    numbers = _random.Numbers()
    # Slice has had bounds that are computed since opset 10, and GatherElements there is since opset 11.
    prompt = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "opsets": range(10, 27)}
    tolerance = {**prompt, "opsets": range(11, 27)}
    heads = {"num_heads": 4, "kv_num_heads": 2}
    angles = numbers.floats(20, 8)
    cosines, sines = np.cos(angles), np.sin(angles)

    def step(steps, past, lengths, rotary=False, packed=False, bias=False, positions=None, sink=False, norms=False):
        batch, total = len(lengths), max(lengths)
        if packed:
            qkv = [numbers.floats(batch, steps, 128), None, None]
        else:
            qkv = [numbers.floats(batch, steps, 64), numbers.floats(batch, steps, 32), numbers.floats(batch, steps, 32)]
        cache = [numbers.floats(batch, 2, past, 16), numbers.floats(batch, 2, past, 16)] if past else [None, None]
        inputs = [*qkv, *cache, np.int32(lengths) - 1, np.int32(total)]
        if rotary:
            inputs += [cosines, sines]
        if positions is not None:
            inputs += [positions]
        if bias:
            inputs += [None] * (10 - len(inputs)) + [numbers.floats(1, 4, steps, total)]
        if sink:
            inputs += [None] * (11 - len(inputs)) + [numbers.floats(4)]
        if norms:
            inputs += [None] * (14 - len(inputs)) + [numbers.floats(16), numbers.floats(16)]
        return inputs

    turned = {**heads, "do_rotary": 1}
    wide = {"shapes": "static"}
    yield Case("prompt", inputs=step(5, 0, [5, 5]), attributes=heads, **prompt)
    yield Case("prompt-rotary", inputs=step(5, 0, [5, 5], rotary=True), attributes=turned, **wide, **prompt)
    yield Case("prompt-packed", inputs=step(5, 0, [5, 5], rotary=True, packed=True), attributes=turned, **wide, **prompt)
    yield Case("prompt-interleaved", inputs=step(5, 0, [5, 5], rotary=True), attributes={**turned, "rotary_interleaved": 1}, **wide, **prompt)
    yield Case("prompt-window", inputs=step(5, 0, [5, 5]), attributes={**heads, "local_window_size": 2}, **prompt)
    yield Case("token", inputs=step(1, 6, [7, 7], rotary=True), attributes=turned, **wide, **tolerance)
    yield Case("token-ragged", inputs=step(1, 6, [7, 4], rotary=True), attributes=turned, **wide, **tolerance)
    yield Case("token-long-cache", inputs=step(1, 10, [7, 4]), attributes=heads, **tolerance)
    yield Case("tokens-bias", inputs=step(3, 6, [9], bias=True), attributes=heads, **tolerance)
    scattered = numbers.integers(0, 14, 2, 5)
    yield Case("prompt-positions", inputs=step(5, 0, [5, 5], rotary=True, positions=scattered), attributes=turned, **wide, **prompt)
    yield Case("token-positions", inputs=step(1, 6, [7, 4], rotary=True, positions=scattered[:, :1]), attributes=turned, **wide, **tolerance)
    yield Case("tokens-positions", inputs=step(3, 6, [9], rotary=True, positions=scattered[:1, :3]), attributes=turned, **wide, **tolerance)
    yield Case("softcap", inputs=step(1, 6, [7, 7]), attributes={**heads, "softcap": 5.0, "scale": 0.25}, **tolerance)
    smooth = {**heads, "smooth_softmax": 1}
    yield Case("prompt-sink", inputs=step(5, 0, [5, 5], sink=True), attributes=heads, **prompt)
    yield Case("token-sink", inputs=step(1, 6, [7, 4], rotary=True, sink=True), attributes={**turned, "local_window_size": 3}, **wide, **tolerance)
    yield Case("prompt-smooth", inputs=step(5, 0, [5, 5]), attributes=smooth, **prompt)
    yield Case("token-smooth", inputs=step(1, 6, [7, 4]), attributes={**smooth, "softcap": 5.0}, **tolerance)
    no_kernel = {"cannot": {"kernel": "it normalizes queries and keys on other devices only"}}
    yield Case("prompt-norms", inputs=step(5, 0, [5, 5], rotary=True, norms=True), attributes=turned, **wide, **prompt, **no_kernel)
    yield Case("token-norms", inputs=step(1, 6, [7, 4], packed=True, norms=True), attributes={**heads, "qk_norm_epsilon": 0.5}, **tolerance, **no_kernel)
    for asked, what in ((1, "scores"), (2, "weights")):
        yield Case(f"prompt-{what}", inputs=step(5, 0, [5, 5]), attributes={**heads, "qk_output": asked, "softcap": 2.0}, **prompt)
        yield Case(f"token-{what}", inputs=step(1, 6, [7, 4], bias=True, sink=True), attributes={**heads, "qk_output": asked}, **tolerance)
    yield Case("prompt-scores-window", inputs=step(5, 0, [5, 5]), attributes={**heads, "qk_output": 1, "local_window_size": 2}, **prompt)
    yield Case("one-output", inputs=step(5, 0, [5, 5]), attributes=heads, outputs=1, **prompt)
    yield Case("quantized-cache", inputs=step(1, 6, [7, 7]), attributes={**heads, "k_quant_type": "PER_TENSOR"}, refuse="the cache is quantized")
