# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GridSample: values between the points of an image.

Source: ONNX GridSample-16, GridSample-20. The expected values are those of bilinear interpolation with zeros outside.
"""
import numpy as np

from definition import Case


def define(x, grid, *, align_corners=0, mode="linear", padding_mode="zeros"):
    n, channels, height, width = x.shape
    out = np.zeros((n, channels, *grid.shape[1:3]), np.float64)
    size = np.array([width, height])
    points = (grid + 1) / 2 * (size - 1) if align_corners else ((grid + 1) * size - 1) / 2
    for place in np.ndindex(n, *grid.shape[1:3]):
        px, py = points[place]
        if mode == "nearest":
            corners = [(int(np.round(py)), int(np.round(px)), 1.0)]
        else:
            x0, y0 = int(np.floor(px)), int(np.floor(py))
            corners = [(y, c, (1 - abs(px - c)) * (1 - abs(py - y))) for y in (y0, y0 + 1) for c in (x0, x0 + 1)]
        for y, c, weight in corners:
            if padding_mode == "border":
                y, c = min(max(y, 0), height - 1), min(max(c, 0), width - 1)
            if 0 <= y < height and 0 <= c < width:
                out[(place[0], slice(None), *place[1:])] += weight * x[place[0], :, y, c]
    return out.astype(x.dtype)


def cases():
    random = np.random.default_rng(3)
    x, grid = random.normal(size=(2, 3, 4, 5)).astype(np.float32), random.uniform(-1.3, 1.3, size=(2, 3, 6, 2)).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "The weights of the four points are rounded in another order.", "opsets": range(11, 27)}
    for written_for, mode in ((16, "bilinear"), (20, "linear"), (20, "nearest"), (16, "nearest")):
        for align in (0, 1):
            attributes = {"mode": mode, "align_corners": align}
            yield Case(f"{mode}-{align}-from-{written_for}", inputs=[x, grid], attributes=attributes, written_for=written_for, **near)
    yield Case("default-16", inputs=[x, grid], written_for=16, **near)
    yield Case("default-20", inputs=[x, grid], written_for=20, **near)
    yield Case("border", inputs=[x, grid], attributes={"padding_mode": "border"}, written_for=20, **near)
