# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::affine_grid_generator: the points theta @ (x, y, 1) for the centres (or, with align_corners, corners) of a target's pixels.

Source: PyTorch's documentation of torch.nn.functional.affine_grid.
"""
import numpy as np

from definition import Case

def coordinates(count, align_corners):
    if align_corners:
        return np.linspace(-1, 1, count) if count > 1 else np.zeros(1)
    return (2 * np.arange(count) + 1) / count - 1


def define(theta, size, align_corners):
    axes = [coordinates(count, bool(align_corners)) for count in size[2:]]
    points = np.stack([*reversed(np.meshgrid(*axes, indexing="ij")), np.ones(size[2:].tolist())], -1)
    return np.einsum("...k,nik->n...i", points, theta.astype(np.float64)).astype(theta.dtype)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "The coordinates and the sum round in single precision."}
    generator = np.random.default_rng(3)
    for align_corners in (False, True):
        for size in ([2, 3, 4, 5], [2, 3, 1, 3], [2, 3, 2, 3, 4]):
            theta = generator.normal(size=(2, len(size) - 2, len(size) - 1)).astype(np.float32)
            yield Case(f"{'x'.join(map(str, size))}-{align_corners}", inputs=[theta, np.array(size), np.bool_(align_corners)], constants=[1, 2],
                       opsets=range(11, 27) if size[2] == 4 else (11, 13, 15, 26), **tolerance)
