# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GlobalLpPool: the p-norm of each channel.

Source: ONNX GlobalLpPool-2.
"""
import numpy as np

from definition import Case


def define(x, p=2):
    sums = (np.abs(x.astype(np.float64)) ** p).sum(tuple(range(2, x.ndim)), keepdims=True)
    return (sums ** (1 / p)).astype(x.dtype)


def cases():
    random = np.random.default_rng(22)
    sums = {"rtol": 1e-6, "why": "a sum of up to 24 powers, and its root, in float"}
    for rank in (3, 4, 5):
        for p in (1, 2, 3):
            x = np.float32(random.standard_normal([2, 3, 4, 2, 3][:rank]))
            yield Case(f"rank{rank}-p{p}", inputs=[x], attributes={"p": p}, written_for=21, shapes="static", **sums)
    yield Case("default", inputs=[np.float32(random.standard_normal([1, 2, 5, 5]))], written_for=13, shapes="static", **sums)
    yield Case("empty", inputs=[np.zeros((0, 2, 3, 4), np.float32)], written_for=13)
