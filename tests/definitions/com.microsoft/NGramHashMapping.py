# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::NGramHashMapping: hashes of each token and those before it.

Source: ONNX Runtime's contrib_ops/cpu/bert/ngram_hash_mapping.cc, and the operator's documentation: chunks give what they give together, so that texts may
end among the ids before the first one, too.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(input_ids, multipliers, vocab_sizes, past_ids=None, head_offsets=None, eos_token_id=None, segment_ids=None, *, max_ngram_size, n_head_per_ngram, pad_id,
           reset_on_eos=0):
    kind, (batch, length), before = input_ids.dtype.type, input_ids.shape, max_ngram_size - 1
    beyond = kind(pad_id) if eos_token_id is None else eos_token_id.reshape(-1)[0]
    past = np.full((batch, before), beyond, kind) if past_ids is None else past_ids
    every = np.concatenate([past, input_ids], 1)
    hashes = np.zeros((batch, length, before * n_head_per_ngram), kind)
    with np.errstate(over="ignore"):
        for b in range(batch):
            last = -1
            for place in range(before + length):
                t = place - before
                ends = place > 0 and reset_on_eos and eos_token_id is not None and every[b, place - 1] == beyond
                if ends or (segment_ids is not None and t > 0 and segment_ids[b, t] != segment_ids[b, t - 1]):
                    last = place - 1
                if t < 0:
                    continue
                mix = kind(0)
                for back in range(max_ngram_size):
                    token = beyond if place - back <= last else every[b, place - back]
                    mix ^= kind(token) * multipliers[back]
                    for head in range((back - 1) * n_head_per_ngram, back * n_head_per_ngram) if back else ():
                        hashes[b, t, head] = mix % vocab_sizes[head] + (0 if head_offsets is None else head_offsets[head])
    return hashes, every[:, length:].copy()


def cases():
    numbers = _random.Numbers()
    wide = {"cannot": {"openvino": "its products of integers do not wrap around"}}
    usual = {"max_ngram_size": 3, "n_head_per_ngram": 2, "pad_id": 7}
    sizes, offsets = [101, 103, 107, 109], [0, 101, 204, 311]
    for kind in (np.int32, np.int64):
        most = np.iinfo(kind).max
        factors = numbers.integers(-most, most, 3).astype(kind) | kind(1)
        ids = numbers.integers(0, 50000, 2, 6).astype(kind)
        given = [ids, factors, np.array(sizes, kind)]
        name = np.dtype(kind).name
        yield Case(f"plain-{name}", inputs=given, attributes=usual, also=[[ids[:1, :1], *given[1:]], [ids[:, :0], *given[1:]]], **wide)
        past = numbers.integers(0, 50000, 2, 2).astype(kind)
        short = numbers.integers(0, 3, 2, 6).astype(kind)
        eos, offset = np.array(1, kind), np.array(offsets, kind)
        segments = np.int32([[0, 0, 1, 1, 1, 2], [3, 3, 3, 3, 3, 3]])
        yield Case(f"past-{name}", inputs=[ids, *given[1:], past, offset], attributes=usual, **wide)
        yield Case(f"ends-{name}", inputs=[short, *given[1:], numbers.integers(0, 3, 2, 2).astype(kind), None, eos], attributes={**usual, "reset_on_eos": 1}, **wide)
        yield Case(f"no-ends-{name}", inputs=[short, *given[1:], None, offset, eos], attributes=usual, **wide)
        yield Case(f"segments-{name}", inputs=[short, *given[1:], past, None, None, segments], attributes=usual, outputs=1, **wide)
        yield Case(f"all-{name}", inputs=[short, *given[1:], past, offset, eos, segments], attributes={**usual, "reset_on_eos": 1}, shapes="static", **wide)
        longer = {"max_ngram_size": 5, "n_head_per_ngram": 1, "pad_id": -1, "reset_on_eos": 1}
        more = numbers.integers(-most, most, 5).astype(kind)
        yield Case(f"longer-{name}", inputs=[short, more, np.array(sizes, kind), None, None, eos, segments], attributes=longer, also=[[short[:, :2], more, np.array(sizes, kind), None, None, eos, segments[:, :2]]], **wide)
    small = [numbers.integers(0, 30, 2, 6).astype(np.int32), np.int32([3, 5, 9]), np.int32(sizes)]
    yield Case("small", inputs=small, attributes=usual)
    yield Case("short", inputs=given, attributes={**usual, "max_ngram_size": 1}, opsets=(17,), refuse="its max_ngram_size is 1")
