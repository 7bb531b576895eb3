# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::WordConvEmbedding: each filter's greatest value over the windows of a word's characters.

Source: ONNX Runtime's contrib operator WordConvEmbedding, and its kernel.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(words, weight, bias, characters, **sizes):
    window = weight.shape[2]
    y = np.zeros((len(words), len(weight)))
    for row, word in enumerate(words):
        length = max(int((word > 0).sum()), window)
        vectors = characters[word[:length]].astype(float)
        places = [vectors[first : first + window] for first in range(length - window + 1)]
        y[row] = np.max([np.tanh(np.einsum("pd,mpd->m", place, weight[:, 0]) + bias) for place in places], axis=0)
    return y.astype(np.float32)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    words = np.int32([[3, 1, 2, 0, 0, 0], [1, 2, 3, 4, 5, 6], [4, 0, 0, 0, 0, 0], [2, 0, 6, 1, 0, 0]])
    inputs = [words, numbers.floats(5, 1, 2, 3), numbers.floats(5), numbers.floats(7, 3)]
    yield Case("usual", inputs=inputs, constants=[1, 2, 3], also=[[words[:1], *inputs[1:]]], **tolerance)
    attributes = {"embedding_size": 5, "conv_window_size": 2, "char_embedding_size": 3}
    yield Case("sizes-given", inputs=inputs, attributes=attributes, shapes="static", **tolerance)
