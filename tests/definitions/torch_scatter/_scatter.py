# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the scatter operators of torch_scatter share: the index of each element, and the shape of what they give."""
import itertools

import numpy as np

from definition import Case


def broadcast(index, src, dim):
    if index.ndim == 1:
        index = index.reshape((1,) * dim + (-1,))
    index = index.reshape(index.shape + (1,) * (src.ndim - index.ndim))
    return np.broadcast_to(index, src.shape)


def scattered(src, index, dim, dim_size, out, initial, update):
    """`update` gets the element so far, the new one and where that stands, and returns what takes its place."""
    dim = dim + src.ndim if dim < 0 else dim
    index = broadcast(index, src, dim)
    if out is None:
        shape = list(src.shape)
        shape[dim] = int(dim_size) if dim_size is not None else int(index.max()) + 1 if index.size else 0
        out = np.full(shape, initial, src.dtype)
    else:
        out = out.copy()
    for place in itertools.product(*map(range, src.shape)):
        target = (*place[:dim], int(index[place]), *place[dim + 1 :])
        out[target] = update(out[target], src[place], target, place[dim])
    return out


def extreme(src, index, dim, dim_size, limit, is_better):
    """The best elements, of which there is none better than `limit`, and where the first of them stands; 0 and the end where there is none."""
    places = {}

    def update(old, new, target, place):
        if is_better(new, old):
            places[target] = place
            return new
        return old

    best = scattered(src, index, int(dim), dim_size, None, limit, update)
    arg = np.full(best.shape, src.shape[int(dim)], np.int64)
    for target, place in places.items():
        arg[target] = place
    best[best == limit] = 0
    return best, arg


def limits_of(dtype):
    return (np.finfo if np.issubdtype(dtype, np.floating) else np.iinfo)(dtype)


def cases_of_extremes(name, limit):
    yield from cases(name, (np.float32, np.float64, np.float16, np.int64, np.int32))
    x = np.float32([np.nan, 1, -np.inf, np.inf, np.nan, limit, 3, 3])
    yield Case("limits", inputs=[x, np.int64([0, 0, 1, 2, 3, 4, 6, 6])])
    yield Case("start", inputs=[x, np.int64([0] * 8), np.int64(0), np.float32([1])], constants=[2], refuse="start")


def cases(name, dtypes=(np.float32,), **fields):
    rng = np.random.default_rng(44)
    index = np.int64([2, 0, 2, 0, 5, 2])
    for dtype in dtypes:
        x = rng.integers(-9, 10, (6, 3)).astype(dtype)
        yield Case(f"rows-{np.dtype(dtype)}", inputs=[x, index], attributes={"dim": 0}, **fields)
    x = rng.integers(-9, 10, (6, 3)).astype(np.float32)
    yield Case("columns", inputs=[x.T, index], also=[[x[:3].T, np.int64([1, 1, 0])]], **fields)
    yield Case("size", inputs=[x, index], attributes={"dim": -2, "dim_size": 8}, shapes="static", **fields)
    of_element = rng.integers(0, 4, (2, 6, 3))
    cube = rng.integers(-9, 10, (2, 6, 3)).astype(np.float32)
    yield Case("of-each", inputs=[cube, of_element, np.int64(1)], constants=[2], **fields)
    yield Case("of-first-two", inputs=[cube, of_element[:, :, 0], np.int64(1), None, np.int64(7)], constants=[2], **fields)
    yield Case("middle", inputs=[cube, index, np.int64(1), None, np.int64(6)], constants=[2, 4], **fields)
    yield Case("outside", inputs=[x, index], attributes={"dim": 2}, refuse="dim is 2")
