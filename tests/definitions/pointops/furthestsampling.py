# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Farthest point sampling in batches, from the first point of each on.

Source: furthestsampling of Point Transformer's pointops.
"""
import numpy as np

from definition import Case, definition_of

farthest_points = definition_of("onnx_lower", "FarthestPoints")


def define(xyz, offset, new_offset):
    begin, count = np.concatenate([[0], offset[:-1]]), np.diff(new_offset, prepend=0)
    return farthest_points.sample(xyz, begin, offset, count, np.float32(1e10)).astype(np.int32)


def cases():
    random = np.random.default_rng(0)

    def operands(sizes, counts):
        return [random.normal(0, 3, (sum(sizes), 3)).astype(np.float32), np.cumsum(sizes).astype(np.int32), np.cumsum(counts).astype(np.int32)]

    yield Case("batches", inputs=operands((20, 7, 31), (5, 7, 3)), also=[operands((1,), (1,)), operands((5, 6), (2, 1))])
