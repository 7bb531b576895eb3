# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Farthest point sampling in ranges of points; the rules of the sampling operators are built on it.

Source: its own definition, in rules/onnx_lower/FarthestPoints.onnxtxt.
"""
import numpy as np

from definition import Case


def sample(points, begin, end, count, limit):
    taken = []
    for first, stop, number in zip(begin, end, count):
        distance, at = np.full(stop - first, limit, points.dtype), 0
        for _ in range(number):
            taken.append(first + at)
            to_taken = np.zeros(stop - first, points.dtype)
            for axis in range(points.shape[1]):
                to_taken += np.square(points[first:stop, axis] - points[first + at, axis])
            distance = np.minimum(distance, to_taken)
            at = int(np.argmax(distance))
    return np.array(taken, np.int64)


def define(points, begin, end, count, limit):
    return sample(points, begin, end, count, limit)


def cases():
    random = np.random.default_rng(0)
    limit = np.float32(1e10)

    def operands(sizes, count, coordinates=3, dtype=np.float32):
        end = np.cumsum(sizes)
        return [random.normal(0, 3, (sum(sizes), coordinates)).astype(dtype), end - sizes, end, np.int64(count), limit]

    yield Case("ranges", inputs=operands([20, 7, 30], [5, 7, 3]), also=[operands([9], [1]), operands([4, 0, 6], [2, 0, 6]), operands([4], [0])])
    yield Case("float64", inputs=operands([20, 7], [5, 2], 2, np.float64), opsets=(11, 18))
    yield Case("equal-points", inputs=[np.zeros((5, 2), np.float32), np.int64([0]), np.int64([5]), np.int64([3]), limit], opsets=(11, 18))
