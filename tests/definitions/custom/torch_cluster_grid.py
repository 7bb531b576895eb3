# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The voxel of each point: sum over d of trunc((pos_d - start_d) / size_d) * prod over k < d of (trunc((end_k - start_k) / size_k) + 1).

Source: torch_cluster::grid, csrc/cpu/grid_cpu.cpp: the quotient is converted to int64, which truncates; start and end default to the
minimum and maximum of pos.
"""
import numpy as np

from definition import Case


def define(pos, size, start=None, end=None):
    pos = pos.reshape(len(pos), int(np.prod(pos.shape[1:])))
    start = pos.min(0) if start is None else start
    end = pos.max(0) if end is None else end
    cluster, stride = np.zeros(len(pos), np.int64), 1
    for axis in range(pos.shape[1]):
        cluster += np.trunc((pos[:, axis] - start[axis]) / size[axis]).astype(np.int64) * stride
        stride *= int(np.trunc((end[axis] - start[axis]) / size[axis])) + 1
    return cluster


def cases():
    random = np.random.default_rng(0)
    pos, many, one, none = (random.uniform(-3, 7, (count, 3)).astype(np.float32) for count in (20, 100, 1, 0))
    size, start, end = np.float32([0.7, 1.3, 2]), np.float32([-1, -4, 0]), np.float32([7, 6.5, 8])
    for domain, op_type in (("custom", "torch_cluster_grid"), ("torch_cluster", "grid")):
        name = dict(domain=domain, op_type=op_type)
        yield Case(f"{domain}-four-inputs", inputs=[pos, size, start, end], also=[[many, size, start, end], [one, size, start, end], [none, size, start, end]], **name)
        yield Case(f"{domain}-three-inputs", inputs=[pos, size, start], also=[[many, size, start], [one, size, start]], **name)
    yield Case("two-inputs", inputs=[pos, size], also=[[many, size], [one, size]])
    yield Case("start-absent", inputs=[pos, size, None, end])
    yield Case("below-start", inputs=[np.float32([[-0.5, 0.5], [-1.5, 3], [0.99, -0.99]]), np.float32([1, 1]), np.float32([0, 0]), np.float32([4, 4])])
    yield Case("one-dimension", inputs=[np.float32([0.5, 1.5, 7]), np.float32([2]), np.float32([0]), np.float32([8])])
    yield Case("two-dimensions-static", inputs=[pos[:, :2], size[:2], start[:2], end[:2]], shapes="static")
    yield Case("constants", inputs=[pos, size, start, end], constants=(1, 2, 3))
    yield Case("float64", inputs=[array.astype(np.float64) for array in (pos, size, start, end)])
    yield Case("integers", inputs=[np.int32([[5, 7], [0, -3], [9, 9]]), np.int32([2, 4]), np.int32([0, 0]), np.int32([10, 10])])
    yield Case("refuse-size-of-zero", inputs=[pos, np.float32([1, 0, 1]), start], constants=(1,), opsets=(12,), refuse="a size of zero")
    yield Case("refuse-number-of-sizes", inputs=[pos, size[:2], start], shapes="static", opsets=(12,), refuse="2 elements, where there are 3 dimensions")
    yield Case("unranked", inputs=[pos, size, start, end], shapes="unranked", also=[[pos[:, 0], size[:1], start[:1], end[:1]]], opsets=(9, 13, 26))
