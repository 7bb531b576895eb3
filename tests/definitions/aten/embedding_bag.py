# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::embedding_bag: sums, means or greatest elements of the rows of bags.

Source: PyTorch's documentation of torch.nn.functional.embedding_bag.
"""
import numpy as np

from definition import Case


SUM, MEAN, MAX = range(3)


def define(weight, indices, offsets, scale=False, mode=0, sparse=False, factors=None, last_offset=False, padding=None):
    ends = [*offsets, *([] if last_offset else [len(indices)])]
    y, mode = np.zeros((len(ends) - 1, weight.shape[1])), int(mode)
    for bag, (start, end) in enumerate(zip(ends, ends[1:])):
        chosen = [k for k in range(int(start), int(end)) if padding is None or indices[k] != padding]
        if chosen:
            rows = np.float64([weight[indices[k]] * (1 if factors is None else factors[k]) for k in chosen])
            y[bag] = [rows.sum(0), rows.mean(0), rows.max(0)][mode]
    return y.astype(weight.dtype)


def cases():
    numbers = np.random.default_rng(1)
    weight = numbers.standard_normal((7, 3)).astype(np.float32)
    indices, offsets = np.array([1, 2, 4, 5, 4, 3, 2, 6]), np.array([0, 3, 3, 7])
    no, yes = np.bool_(False), np.bool_(True)
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "sums in another order", "shapes": "static"}
    for mode, name in enumerate(("sum", "mean", "max")):
        yield Case(name, inputs=[weight, indices, offsets, no, np.int64(mode), no], constants=[3, 4, 5], opsets=range(11, 27), **near)
        yield Case(f"{name}-padding", inputs=[weight, indices, offsets, no, np.int64(mode), no, None, no, np.int64(2)], constants=[3, 4, 5, 7, 8], opsets=(11, 13, 18, 26), **near)
        yield Case(f"{name}-last-offset", inputs=[weight, indices, np.array([0, 3, 3, 8]), no, np.int64(mode), no, None, yes], constants=[3, 4, 5, 7], opsets=(13, 18, 26), **near)
    factors = numbers.standard_normal(8).astype(np.float32)
    yield Case("weighted", inputs=[weight, indices, offsets, no, np.int64(SUM), no, factors, no], constants=[3, 4, 5, 7], opsets=(11, 13, 18, 26), **near)
    for name in ("_embedding_bag", "_embedding_bag_forward_only"):
        yield Case(name, op_type=name, inputs=[weight, indices, offsets], opsets=(13, 26), **near)
    yield Case("int32", inputs=[weight, indices.astype(np.int32), offsets.astype(np.int32)], opsets=(13, 26), **near)
    yield Case("infinite", inputs=[np.float32([[np.inf, 1], [2, np.nan], [3, 4]]), np.array([0, 1, 2]), np.array([0, 2])], opsets=(13, 26), **near)
