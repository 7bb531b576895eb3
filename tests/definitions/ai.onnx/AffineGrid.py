# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::AffineGrid: where an affine map takes the places of a grid from, between -1 and 1.

Source: ONNX AffineGrid-20.
"""
import numpy as np

from definition import Case


def define(theta, size, *, align_corners=0):
    def line(n):
        return np.linspace(-1, 1, n) if align_corners else (2 * np.arange(n) + 1) / n - 1

    spatial = [int(n) for n in size[2:]]
    places = np.stack([*np.meshgrid(*map(line, spatial), indexing="ij")][::-1] + [np.ones(spatial)], -1)
    return np.einsum("...j,nij->n...i", places, theta.astype(np.float64)).astype(theta.dtype)


def cases():
    random = np.random.default_rng(5)
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "Sums of products are rounded in another order."}
    flat, deep = (random.normal(size=(2, d, d + 1)).astype(np.float32) for d in (2, 3))
    for corners in (0, 1):
        for name, theta, size in (("2d", flat, [2, 3, 4, 5]), ("3d", deep, [2, 3, 4, 5, 6]), ("one-image", flat[:1].copy(), [1, 3, 6, 2])):
            for kind in ("static", "constant"):
                yield Case(f"{name}-{corners}-{kind}", inputs=[theta, np.int64(size)], attributes={"align_corners": corners}, shapes="static",
                           constants=(1,) if kind == "constant" else (), output_shapes="symbolic", opsets=range(9, 20), **near)
    yield Case("batch", inputs=[flat, np.int64([2, 3, 4, 5])], shapes=[("n", 2, 3), "static"], output_shapes="symbolic", opsets=range(9, 20), **near)
    yield Case("rank-from-size", inputs=[flat, np.int64([2, 3, 4, 5])], shapes=["symbolic", "static"], output_shapes="symbolic", opsets=range(9, 20), **near)
    half = {"rtol": 4e-3, "atol": 4e-3, "why": "Every step rounds to half precision."}
    yield Case("float16", inputs=[flat.astype(np.float16), np.int64([2, 3, 4, 5])], shapes="static", output_shapes="symbolic", opsets=range(9, 20), **half)
    yield Case("float64", inputs=[flat.astype(np.float64), np.int64([2, 3, 4, 5])], shapes="static", output_shapes="symbolic", opsets=range(9, 20),
               rtol=1e-14, atol=1e-14, why="Sums of products are rounded in another order.")
