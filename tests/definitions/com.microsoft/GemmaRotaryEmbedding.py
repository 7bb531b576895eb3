# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GemmaRotaryEmbedding: queries and keys times cosines, and their turned halves times sines.

Source: the documentation of ONNX Runtime's contrib operator GemmaRotaryEmbedding.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(emb, q, q_rot, k, k_rot):
    sine, cosine = np.sin(emb).astype(q.dtype)[:, None], np.cos(emb).astype(q.dtype)[:, None]
    return q * cosine + q_rot * sine, k * cosine + k_rot * sine


def cases():
    numbers = _random.Numbers()
    emb = numbers.floats(2, 3, 4)
    states = [numbers.floats(2, 5, 3, 4) for _ in range(4)]
    halves = [state.astype(np.float16) for state in states]
    yield Case("half", inputs=[emb, *halves], rtol=2e-3, atol=2e-3, why="a sine that is off by the last bit in float may be rounded to its neighbour in half")
    yield Case("float", inputs=[emb, *states], shapes="static", rtol=1e-5, atol=1e-6, why="sines and cosines are off by the last bits")
