# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::GridSample: values between the points of an image.

Source: ONNX GridSample-16, GridSample-20; what is outside as ONNX Runtime has it: of a linear sample the point is moved, of a cubic one each of its neighbours.
"""
import itertools

import numpy as np

from definition import Case


def keys(d):
    d, a = abs(d), -0.75
    return (a + 2) * d**3 - (a + 3) * d**2 + 1 if d <= 1 else a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0.0


def reflected(p, low, high):
    span = high - low
    if span == 0:
        return low
    away = abs(p - low) % (2 * span)
    return low + min(away, 2 * span - away)


def define(x, grid, *, align_corners=0, mode="linear", padding_mode="zeros"):
    mode = mode.removeprefix("bi")
    sizes = x.shape[2:]
    out = np.zeros((*x.shape[:2], *grid.shape[1:-1]), np.float64)

    def inside(p, size):
        if padding_mode == "reflection":
            p = reflected(p, 0.0, size - 1.0) if align_corners else reflected(p, -0.5, size - 0.5)
        return p if padding_mode == "zeros" else min(max(p, 0), size - 1)

    def neighbours(given, size):
        p = (given + 1) / 2 * (size - 1) if align_corners else ((given + 1) * size - 1) / 2
        if mode == "cubic":
            return [(int(inside(i, size)), keys(p - i)) for i in range(int(np.floor(p)) - 1, int(np.floor(p)) + 3)]
        p = inside(np.round(p) if mode == "nearest" else p, size)
        return [(int(np.round(p)), 1.0)] if mode == "nearest" else [(i, 1 - abs(p - i)) for i in (int(np.floor(p)), int(np.floor(p)) + 1)]

    for place in np.ndindex(x.shape[0], *grid.shape[1:-1]):
        lines = [neighbours(float(given), size) for given, size in zip(grid[place][::-1], sizes)]
        for corner in itertools.product(*lines):
            index = [i for i, _ in corner]
            if all(0 <= i < size for i, size in zip(index, sizes)):
                out[(place[0], slice(None), *place[1:])] += np.prod([weight for _, weight in corner]) * x[(place[0], slice(None), *index)]
    return out.astype(x.dtype)


def cases():
    random = np.random.default_rng(3)
    x, grid = random.normal(size=(2, 3, 4, 5)).astype(np.float32), random.uniform(-1.3, 1.3, size=(2, 3, 6, 2)).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "The weights of the four points are rounded in another order.", "opsets": range(9, 27)}
    for written_for, mode in ((16, "bilinear"), (20, "linear"), (20, "nearest"), (16, "nearest")):
        for align in (0, 1):
            attributes = {"mode": mode, "align_corners": align}
            yield Case(f"{mode}-{align}-from-{written_for}", inputs=[x, grid], attributes=attributes, written_for=written_for, **near)
    yield Case("default-16", inputs=[x, grid], written_for=16, **near)
    yield Case("default-20", inputs=[x, grid], written_for=20, **near)
    yield Case("border", inputs=[x, grid], attributes={"padding_mode": "border"}, written_for=20, **near)
    near.update(rtol=1e-4, atol=1e-4, why="A point's place in pixels is rounded to single precision, and its neighbours are weighted in another order.", opsets=range(9, 20))
    away = (random.integers(-40, 40, size=(2, 3, 6, 2)) / 16 + 1 / 64).astype(np.float32)
    for mode, align, padding in itertools.product(("linear", "nearest", "cubic"), (0, 1), ("zeros", "border", "reflection")):
        attributes = {"mode": mode, "align_corners": align, "padding_mode": padding}
        yield Case(f"{mode}-{align}-{padding}", inputs=[x, away], attributes=attributes, shapes="static" if align else "symbolic", written_for=20, **near)
    volume, points = random.normal(size=(2, 3, 4, 3, 5)).astype(np.float32), (random.integers(-20, 20, size=(2, 3, 2, 4, 3)) / 16 + 1 / 64).astype(np.float32)
    for mode, padding in itertools.product(("linear", "nearest"), ("zeros", "border", "reflection")):
        attributes = {"mode": mode, "padding_mode": padding}
        cannot = {"openvino": "it has a GridSample for images of two dimensions only"} if mode == "nearest" else {}
        yield Case(f"volume-{mode}-{padding}", inputs=[volume, points], attributes=attributes, written_for=20, cannot=cannot, **near)
    yield Case("volume-cubic", inputs=[volume, points], attributes={"mode": "cubic"}, written_for=20, opsets=range(9, 20), refuse="cubic means images of two dimensions")
    places = np.arange(-40, 41, dtype=np.float32) / 4
    for align in (0, 1):
        # Of sizes for which the places are exact.
        line = np.arange(4 + align, dtype=np.float32)
        x_of_points = places / 2 - 1 if align else (2 * places + 1) / 4 - 1
        between = np.stack([x_of_points, np.zeros_like(places)], -1)[None, None]
        for padding in ("zeros", "border", "reflection"):
            attributes = {"mode": "nearest", "align_corners": align, "padding_mode": padding}
            yield Case(f"between-pixels-{align}-{padding}", inputs=[line[None, None, None], between], attributes=attributes, written_for=20, opsets=range(9, 16))
    none = {"written_for": 20, "opsets": range(9, 16), "cannot": {"openvino": "it loses the sizes of an empty tensor"}}
    for name, shapes in (("images", "symbolic"), ("any", "unranked")):
        empty = [[x[:0], away[:0]], [x, away[:, :0]], [x, away[:, :, :0]], [x[:, :0], away]]
        yield Case(f"{name}-of-nothing", inputs=empty[0], also=empty[1:], shapes=shapes, **none)
        empty = [[volume[:, :0], points], [volume, points[:, :0]], [volume, points[:, :, :, :0]]]
        yield Case(f"{name}-of-nothing-of-volumes", inputs=empty[0], also=empty[1:], shapes=shapes, **none)
    near.update(opsets=range(9, 20), shapes="unranked")
    for dtype, mode, padding in ((np.float64, "nearest", "border"), (np.float64, "linear", "reflection"), (np.float32, "linear", "zeros"), (np.float64, "cubic", "zeros")):
        image, volumes = [x.astype(dtype), away.astype(dtype)], [volume.astype(dtype), points.astype(dtype)]
        for align in (0, 1):
            attributes = {"mode": mode, "padding_mode": padding, "align_corners": align}
            yield Case(f"unranked-{np.dtype(dtype)}-{mode}-{align}", inputs=image, also=[volumes] * (mode != "cubic"), attributes=attributes, written_for=20, **near)
