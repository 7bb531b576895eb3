# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The nsample nearest points of each query in its own batch.

Source: knnquery of the pointops library of Point Transformer V2 and Pointcept: the kernel starts from index -1 and a squared distance of 1e10, and takes
what is nearer; it works in float32.
"""
import numpy as np

from definition import Case, definition_of

nearest_points = definition_of("onnx_lower", "NearestPoints")
ROOT = dict(rtol=1e-6, why="the square root of ONNX Runtime may differ from NumPy's in the last bit")


def define(nsample, points, offset, queries=None, query_offset=None):
    if queries is None:
        queries, query_offset = points, offset
    batch = np.searchsorted(query_offset, np.arange(len(queries)), side="right")
    starts = np.concatenate([[0], offset]).astype(np.int64)
    squared, index = nearest_points.search(points, queries, starts[batch], starts[batch + 1], int(nsample), 1e10)
    return index.astype(np.int32), np.sqrt(squared)


def cloud(seed, sizes, query_sizes=None, grid=False):
    """points, offset[, queries, query offset] of batches of these sizes."""
    random = np.random.default_rng(seed)
    draw = (lambda n: random.integers(-2, 3, (n, 3))) if grid else (lambda n: random.normal(0, 10, (n, 3)))
    arrays = [draw(sum(sizes)).astype(np.float32), np.cumsum(sizes).astype(np.int32)]
    if query_sizes is not None:
        arrays += [draw(sum(query_sizes)).astype(np.float32), np.cumsum(query_sizes).astype(np.int32)]
    return arrays


def cases():
    known = ["static", ("n", 3), "symbolic", ("m", 3), "symbolic"]
    samples = np.int64(4)
    yield Case("points-and-queries", inputs=[samples, *cloud(1, (20, 13, 30), (3, 1, 9))], constants=(0,), shapes=known, opsets=nearest_points.SINCE_11, **ROOT,
               also=[[samples, *cloud(2, (1,), (5,))], [samples, *cloud(3, (2, 0, 7), (4, 0, 3))], [samples, *cloud(4, (9,), (0,))], [samples, *cloud(5, (0, 5), (2, 1))]])
    yield Case("points-among-themselves", inputs=[samples, *cloud(6, (12, 25))], constants=(0,), shapes=known[:3], opsets=nearest_points.SINCE_11, **ROOT,
               also=[[samples, *cloud(7, (1,))], [samples, *cloud(8, (5, 0, 40, 3))], [samples, *cloud(9, (0,))]])
    yield Case("ties", inputs=[samples, *cloud(10, (60, 40), (30, 20), grid=True)], constants=(0,), constants_as="node", shapes=known, opsets=nearest_points.SINCE_11, **ROOT)
    yield Case("more-samples-than-points", inputs=[np.int64(16), *cloud(11, (5, 2))], constants=(0,), shapes=known[:3], opsets=nearest_points.SINCE_11, **ROOT)
    yield Case("samples-not-constant", inputs=[samples, *cloud(12, (20, 13), (3, 9))], shapes=known, also=[[np.int64(1), *cloud(13, (6,), (2,))]], opsets=(11, 13, 20), **ROOT)
    for op_type in ("knnquery", "knn_query"):
        yield Case(f"pointops-{op_type}", domain="pointops", op_type=op_type, inputs=[samples, *cloud(14, (20, 13), (3, 9))], constants=(0,), shapes=known,
                   opsets=(11, 13, 20), **ROOT)
    yield Case("samples-as-attribute", inputs=cloud(15, (20, 13), (3, 9)), attributes=dict(nsample=4), shapes=known[1:], opsets=(11, 13, 20), **ROOT,
               define=lambda *arrays, nsample: define(nsample, *arrays))
    yield Case("offsets-int64", inputs=[samples, *(array.astype(np.int64) if array.ndim == 1 else array for array in cloud(16, (20, 13), (3, 9)))], constants=(0,), shapes=known,
               opsets=(11, 13, 20), **ROOT)

    far = cloud(17, (6, 4))
    for number, value in enumerate((np.nan, np.inf, 1e5)):
        far[0][1 + number] = value
    far[0][4, 0] = 99999
    yield Case("too-far-or-not-a-number", inputs=[samples, *far], constants=(0,), shapes=known[:3], opsets=(11, 13, 20), **ROOT,
               cannot={"openvino": "it does not promise what a comparison with a NaN gives"})

    refused = dict(constants=(0,), opsets=(12, 20))
    yield Case("refuse-no-samples", inputs=[np.int64(0), *cloud(18, (5,))], refuse="nsample is 0", **refused)
    yield Case("refuse-rank", inputs=[samples, np.zeros((1, 5, 3), np.float32), np.int32([5])], refuse="rank 3", **refused)
    yield Case("refuse-coordinates", inputs=[samples, np.zeros((5, 2), np.float32), np.int32([5])], shapes="static", refuse="2 coordinates", **refused)
    yield Case("refuse-number-of-batches", inputs=[samples, *cloud(19, (5, 5), (3,))], shapes="static", refuse="2 batches of points", **refused)
    yield Case("refuse-offset-beyond-points", inputs=[samples, np.zeros((5, 3), np.float32), np.int32([6])], shapes="static", constants=(0, 2), opsets=(12, 20), refuse="ends at 6")
    yield Case("refuse-older-order", inputs=[samples, *[cloud(20, (5,), (3,))[place] for place in (0, 2, 1, 3)]], refuse="input 2 has rank 2", **refused)
