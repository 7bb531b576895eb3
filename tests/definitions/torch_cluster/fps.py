# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Farthest point sampling in each batch, from its first point on; of n points it takes ceil(n * ratio).

Source: torch_cluster::fps, csrc/cpu/fps_cpu.cpp, without a random start.
"""
import numpy as np

from definition import Case, definition_of

farthest_points = definition_of("onnx_lower", "FarthestPoints")


def define(src, ptr, ratio, random_start=None):
    size = np.diff(ptr)
    count = np.ceil(size.astype(np.float32) * ratio.astype(np.float32)).astype(np.int64)
    return farthest_points.sample(src.reshape(len(src), -1), ptr[:-1], ptr[1:], count, np.float32(3e38))


def cases():
    random = np.random.default_rng(0)

    def operands(sizes):
        return [random.normal(0, 3, (sum(sizes), 3)).astype(np.float32), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), np.float32(0.3)]

    no = np.bool_(False)
    yield Case("batches", inputs=[*operands((20, 7, 31)), no], constants=(3,), also=[[*operands((1,)), no], [*operands((5, 6)), no]])
    yield Case("attribute", inputs=operands((20, 7)), attributes=dict(random_start=0), opsets=(11, 13, 20))
    yield Case("set", inputs=operands((20, 7)), set=dict(random_start=0), opsets=(11, 13, 20))
    yield Case("refuse-random", inputs=[*operands((20, 7)), np.bool_(True)], constants=(3,), opsets=(13,), refuse="random_start")
