# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The k nearest points of each query within a range of points; the rules of the nearest-neighbour operators are built on it.

Source: its own definition, in rules/onnx_lower/NearestPoints.cpp. In rows with fewer than k points the index means nothing; here the
points are such that no row ends early, and the operators above it see to those that do.
"""
import numpy as np

from definition import Case

SINCE_11 = range(11, 27)  # a Loop without a state, a TopK of the least


def search(points, queries, begin, end, k, limit):
    """Squared distances and indices; `limit` and -1 where there are fewer points."""
    dtype = np.float32 if points.dtype == np.float32 else np.float64
    points, queries = points.astype(dtype), queries.astype(dtype)
    squared, index = np.full((len(queries), k), limit, dtype), np.full((len(queries), k), -1, np.int64)
    for row, query in enumerate(queries):
        candidates = points[begin[row] : end[row]]
        distances = np.zeros(len(candidates), dtype)
        for axis in range(points.shape[1]):
            distances += np.square(query[axis] - candidates[:, axis])
        order = [number for number in np.argsort(distances, kind="stable") if distances[number] < limit][:k]
        squared[row, : len(order)] = distances[order]
        index[row, : len(order)] = begin[row] + np.array(order, np.int64)
    return squared, index


def define(points, queries, begin, end, k, limit=1e10):
    squared, index = search(points, queries, begin, end, int(k[0]), limit)
    assert (index >= 0).all()
    return squared, index


def cases():
    random = np.random.default_rng(0)
    k = np.int64([3])

    def operands(points, queries, coordinates, dtype=np.float32, grid=False):
        draw = (lambda shape: random.integers(-2, 3, shape)) if grid else (lambda shape: random.normal(0, 10, shape))
        begin = random.integers(0, points - 4, queries)
        return [draw((points, coordinates)).astype(dtype), draw((queries, coordinates)).astype(dtype), begin, np.minimum(begin + random.integers(4, 9, queries), points), k]

    known = ["symbolic", ("m", 3), "symbolic", "symbolic", "static"]
    yield Case("three-coordinates", inputs=operands(40, 17, 3), also=[operands(9, 1, 3), operands(300, 200, 3), operands(9, 0, 3)], shapes=known, opsets=SINCE_11)
    yield Case("ties", inputs=operands(40, 30, 3, grid=True), shapes=known, also=[operands(200, 100, 3, grid=True)], opsets=SINCE_11)
    # Blocks of queries of one range, which are compared with its points alone: of 2^18 distances each, so that there are several.
    # Whole coordinates, whose squares are summed exactly in any order: of a thousand, of which hardly two points are equally far, or of a few.
    def batches(points, queries, coordinates, grid=False):
        given = operands(2 * points, 2 * queries, coordinates, grid=grid)
        if not grid:
            given[:2] = [random.integers(0, 1000, given[0].shape).astype(np.float32), random.integers(0, 1000, given[1].shape).astype(np.float32)]
        given[2:4] = np.repeat(np.int64([0, points]), queries), np.repeat(np.int64([points, 2 * points]), queries)
        return given

    yield Case("one-range-in-a-block", inputs=batches(30, 20, 3), also=[batches(900, 400, 3), batches(900, 401, 3, grid=True), batches(4, 3, 3, grid=True)], shapes=known, opsets=(11, 13, 18, 26))
    yield Case("one-range-of-many-coordinates", inputs=batches(30, 20, 9), also=[batches(300, 100, 9)], shapes=["symbolic"] * 4 + ["static"], opsets=(11, 13, 18, 26))
    yield Case("number-of-coordinates-not-known", inputs=operands(30, 20, 2, grid=True), shapes=["symbolic"] * 4 + ["static"], opsets=(11, 13, 18, 26))
    yield Case("many-coordinates", inputs=operands(30, 20, 9, grid=True), shapes="static", opsets=(11, 13, 18, 26))
    yield Case("one-coordinate", inputs=operands(30, 20, 1), shapes="static", opsets=(11, 18))
    yield Case("float64", inputs=operands(30, 20, 2, np.float64), shapes="static", opsets=(11, 18))
    yield Case("integers", inputs=operands(30, 20, 2, np.int32), shapes="static", opsets=(11, 18), cannot={"openvino": "it computes float64 in float32"})
    yield Case("refuse-below-11", inputs=operands(9, 4, 3), shapes="static", opsets=(9, 10), refuse="opset 11")
