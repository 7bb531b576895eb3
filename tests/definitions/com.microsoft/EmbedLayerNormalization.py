# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::EmbedLayerNormalization: the layer normalization of word, position and segment embeddings' sum.

The second output counts the ones in each row of the mask.

Source: ONNX Runtime's contrib operator EmbedLayerNormalization.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(ids, segment_ids, words, positions, segments, gamma, beta, mask=None, position_ids=None, epsilon=1e-12, mask_index_type=1):
    total = words[ids] + (positions[: ids.shape[1]] if position_ids is None else positions[position_ids])
    if segment_ids is not None:
        total = total + segments[segment_ids]
    wide = total.astype(np.float64)
    centred = wide - wide.mean(-1, keepdims=True)
    y = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon) * gamma + beta
    count = np.zeros(ids.shape[0], np.int32) if mask is None else (mask == 1).sum(1).astype(np.int32)
    return y.astype(words.dtype), count, total


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "opsets": range(10, 27)}  # Slice has had bounds that are computed since opset 10
    ids, segment_ids = numbers.integers(0, 20, 2, 5, dtype=np.int32), numbers.integers(0, 2, 2, 5, dtype=np.int32)
    words, positions, segments = numbers.floats(20, 8), numbers.floats(12, 8), numbers.floats(2, 8)
    gamma, beta = numbers.floats(8), numbers.floats(8)
    mask = np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    tables = {"constants": [2, 3, 4, 5, 6], **tolerance}
    yield Case("segments", inputs=[ids, segment_ids, words, positions, segments, gamma, beta], outputs=1, **tables)
    yield Case("no-segments", inputs=[ids, None, words, positions, None, gamma, beta], attributes={"epsilon": 1e-5}, outputs=2,
               constants=[2, 3, 5, 6], **tolerance)
    yield Case("mask", inputs=[ids, segment_ids, words, positions, segments, gamma, beta, mask], outputs=2, **tables)
    position_ids = numbers.integers(0, 12, 2, 5, dtype=np.int32)
    yield Case("positions", inputs=[ids, segment_ids, words, positions, segments, gamma, beta, mask, position_ids], **tables)
    yield Case("one-row-of-positions", inputs=[ids, segment_ids, words, positions, segments, gamma, beta, None, position_ids[:1]],
               attributes={"mask_index_type": 0}, absent_outputs=[1], **tables)
    half = [value.astype(np.float16) for value in (words, positions, segments, gamma, beta)]
    yield Case("float16", inputs=[ids, segment_ids, *half], outputs=1, rtol=1e-2, atol=1e-2, why="float16 has eleven bits",
               opsets=range(10, 27))
