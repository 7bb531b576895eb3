# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QEmbedLayerNormalization: EmbedLayerNormalization of tables that are quantized to 8 bits.

Source: ONNX Runtime's contrib operator QEmbedLayerNormalization.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
embed = definition_of("com.microsoft", "EmbedLayerNormalization").define


def define(ids, segment_ids, words, positions, segments, gamma, beta, mask, *parameters, epsilon=1e-12):
    tables = [words, positions, segments, gamma, beta]
    real = [
        None if table is None else ((table.astype(np.float64) - float(zero)) * float(scale)).astype(np.float32)
        for table, scale, zero in zip(tables, parameters[:5], parameters[5:])
    ]
    return embed(ids, segment_ids, *real, mask, epsilon=epsilon)[:2]


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY}
    ids, segment_ids = numbers.integers(0, 20, 2, 5, dtype=np.int32), numbers.integers(0, 2, 2, 5, dtype=np.int32)
    mask = np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    for dtype in (np.uint8, np.int8):
        words, positions, segments = (numbers.bytes(rows, 8, dtype=dtype) for rows in (20, 12, 2))
        gamma, beta = numbers.bytes(8, dtype=dtype), numbers.bytes(8, dtype=dtype)
        scales = [np.float32(scale) for scale in (0.1, 0.2, 0.05, 0.01, 0.02)]
        zeros = [dtype(zero) for zero in (12, 20, 3, 7, 5)]
        yield Case(f"segments-{np.dtype(dtype)}", inputs=[ids, segment_ids, words, positions, segments, gamma, beta, mask, *scales, *zeros],
                   opsets=range(10, 27), **tolerance)
        without = [None if index == 2 else scale for index, scale in enumerate(scales)]
        without += [None if index == 2 else zero for index, zero in enumerate(zeros)]
        yield Case(f"no-segments-{np.dtype(dtype)}", inputs=[ids, None, words, positions, None, gamma, beta, None, *without],
                   opsets=range(10, 27), **tolerance)
