# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::NGramRepeatBlock: -inf for tokens that would repeat n tokens in a row.

Source: ONNX Runtime's contrib_ops/cpu/bert/ngram_repeat_block.h.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(input_ids, scores, ngram_size):
    result = scores.copy()
    for ids, row in zip(input_ids.tolist(), result):
        tail = ids[len(ids) - ngram_size + 1 :]
        for start in range(len(ids) - ngram_size + 1):
            if ids[start : start + ngram_size - 1] == tail:
                row[ids[start + ngram_size - 1]] = -np.inf
    return result


def cases():
    numbers = _random.Numbers()
    ids = numbers.integers(0, 3, 3, 9)
    scores = numbers.floats(3, 5)
    for size in (1, 2, 3, 4, 9, 10, 14):
        yield Case(f"{size}", inputs=[ids, scores], attributes={"ngram_size": size}, also=[[ids[:1, :2], scores[:1]], [ids[:, 3:], scores]])
    yield Case("static", inputs=[ids, scores], attributes={"ngram_size": 2}, shapes="static")
    yield Case("none", inputs=[ids, scores], attributes={"ngram_size": 0}, refuse="ngram_size")
