# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MaxpoolWithMask: the greatest elements of windows, of whose rows each ends at the first element that the mask hides.

As ONNX Runtime's kernel has it, which is made for a mask of ones followed by zeros: the mask of plane p of all N * C planes begins at element
(p * size of a plane) % (N * C of the mask), and the mask of a plane's first element is not looked at, but with one axis. NaN is never the greatest.

Source: ONNX Runtime's contrib operator MaxpoolWithMask.
"""
import itertools

import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _pads(size, kernel, strides, pads, auto_pad):
    if auto_pad in ("VALID", "NOTSET"):
        return pads if pads and auto_pad == "NOTSET" else [0] * 2 * len(size)
    # Strides longer than the windows make negative padding, which cuts off.
    totals = [(-(-length // stride) - 1) * stride + window - length for length, stride, window in zip(size, strides, kernel)]
    begins = [int(total / 2) if auto_pad == "SAME_UPPER" else int((total + 1) / 2) for total in totals]
    return begins + [total - begin for total, begin in zip(totals, begins)]


def define(x, mask, kernel_shape, strides=None, pads=None, auto_pad="NOTSET", storage_order=0):
    size, axes = x.shape[2:], len(kernel_shape)
    strides = strides or [1] * axes
    pads = _pads(size, kernel_shape, strides, pads, auto_pad)
    counts = [(size[axis] + pads[axis] + pads[axes + axis] - kernel_shape[axis]) // strides[axis] + 1 for axis in range(axes)]
    planes, masks = x.reshape(x.shape[0] * x.shape[1], -1), mask.ravel()
    y = np.full((len(planes), *counts), np.finfo(np.float32).min, x.dtype)
    for number, plane in enumerate(planes):
        own_mask = masks[number * plane.size % (mask.shape[0] * mask.shape[1]) :]
        for place in itertools.product(*map(range, counts)):
            starts = [place[axis] * strides[axis] - pads[axis] for axis in range(axes)]
            ranges = [range(max(start, 0), min(start + kernel_shape[axis], size[axis])) for axis, start in enumerate(starts)]
            for row in itertools.product(*ranges[:-1]):
                for column in ranges[-1]:
                    element = np.ravel_multi_index((*row, column), size)
                    if own_mask[element] == 0 and (axes == 1 or element > 0):
                        break
                    if plane[element] > y[(number, *place)]:
                        y[(number, *place)] = plane[element]
    return y.reshape(*x.shape[:2], *counts)


def cases():
    numbers = _random.Numbers()
    mask = np.ones((1, 2, 6, 8), np.int32)
    mask[..., 5:] = 0
    attributes = {"kernel_shape": [2, 2], "strides": [2, 2]}
    yield Case("columns", inputs=[numbers.floats(1, 2, 6, 8), mask], attributes=attributes)
    ragged = numbers.integers(0, 2, 1, 1, 6, 8, dtype=np.int32)
    ragged[0, 0, 0, 0] = 0
    yield Case("ragged", inputs=[numbers.floats(2, 3, 6, 8), ragged], attributes={"kernel_shape": [3, 3], "pads": [1, 1, 0, 2]}, shapes="static")
    yield Case("ragged-planes", inputs=[numbers.floats(2, 3, 5, 7), numbers.integers(0, 2, 2, 3, 5, 7, dtype=np.int32)], attributes={"kernel_shape": [2, 3]})
    yield Case("same", inputs=[numbers.floats(2, 3, 5, 7), numbers.integers(0, 2, 2, 3, 5, 7, dtype=np.int32)], shapes="static",
               attributes={"kernel_shape": [2, 3], "strides": [2, 1], "auto_pad": "SAME_LOWER"})
    one_axis = {"kernel_shape": [4], "pads": [2, 1], "strides": [2]}
    yield Case("one-axis", inputs=[numbers.floats(2, 2, 9), numbers.integers(0, 2, 2, 1, 9, dtype=np.int32)], attributes=one_axis)
    yield Case("three-axes", inputs=[numbers.floats(1, 2, 3, 4, 5), numbers.integers(0, 2, 1, 2, 3, 4, 5, dtype=np.int32)], attributes={"kernel_shape": [2, 2, 2]})
    special = numbers.floats(1, 2, 6, 8)
    special[0, 0, 1, 1], special[0, 1, :2, :2], special[0, 1, 5, 0] = np.nan, np.nan, -np.inf
    yield Case("nan", inputs=[special, mask], attributes=attributes)
    unknown = {"kernel_shape": [2, 3], "strides": [3, 1], "auto_pad": "SAME_UPPER"}
    yield Case("same-size-unknown", inputs=[special, mask], attributes=unknown, opsets=range(11, 27))  # pads that are computed
    yield Case("same-cut-off", inputs=[special, mask], attributes={"kernel_shape": [1, 2], "strides": [4, 5], "auto_pad": "SAME_UPPER"}, shapes="static")
