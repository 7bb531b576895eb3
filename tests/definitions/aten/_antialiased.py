# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the antialiased resizings of ATen have in common: images of another size, with what lies between the new pixels taken into account.

Source: PyTorch's kernel, whose filters are those of Pillow.
"""
import numpy as np

from definition import Case


def _matrix(size, new_size, scale, support, weight):
    rows = np.zeros((new_size, size))
    width = max(scale, 1.0)
    for number in range(new_size):
        centre = (number + 0.5) * scale
        first, last = max(int(centre - support * width + 0.5), 0), min(int(centre + support * width + 0.5), size)
        for pixel in range(first, last):
            rows[number, pixel] = weight(abs(pixel + 0.5 - centre) / width)
    return rows / rows.sum(1, keepdims=True)


def resizing(support, weight):
    """The definition of the operator whose filter weighs what lies up to `support` pixels away, by the distance."""

    def define(x, output_size, align_corners, scale_factors=None):
        if output_size is None:
            output_size = [int(np.floor(size * factor)) for size, factor in zip(x.shape[2:], scale_factors, strict=True)]
        scales = [size / new for size, new in zip(x.shape[2:], output_size, strict=True)] if scale_factors is None else [1 / factor for factor in scale_factors]
        rows, columns = (_matrix(size, int(new), scale, support, weight) for size, new, scale in zip(x.shape[2:], output_size, scales, strict=True))
        return (rows @ np.float64(x) @ columns.T).astype(x.dtype)

    return define


def cases():
    x = np.random.default_rng(11).standard_normal((1, 2, 9, 7)).astype(np.float32)
    common = {"shapes": [("n", "c", 9, 7), "static", "static", "static"], "rtol": 1e-4, "atol": 1e-5, "why": "sums in another order"}
    for size in ([4, 3], [12, 10], [5, 11]):
        yield Case(f"to-{size[0]}-{size[1]}", inputs=[x, np.array(size), np.bool_(False)], constants=[1, 2], **common)
    yield Case("by-factors", inputs=[x, None, np.bool_(False), np.float64([0.5, 0.5])], constants=[2, 3], **common)
    half = [x.astype(np.float16), np.array([4, 3]), np.bool_(False)]
    yield Case("half", inputs=half, constants=[1, 2], shapes="static", opsets=(13, 18), rtol=2e-3, atol=1e-3, why="the result is rounded to half precision")
    yield Case("double", inputs=[np.float64(x), np.array([4, 12]), np.bool_(False)], constants=[1, 2], shapes="static", opsets=(13, 18), rtol=1e-6, atol=1e-6, why="OpenVINO computes double as float")
    yield Case("size-not-known", inputs=[x, np.array([4, 3]), np.bool_(False)], constants=[2], shapes="static", refuse="output_size")
    yield Case("image-not-known", inputs=[x, np.array([4, 3]), np.bool_(False)], constants=[1, 2], refuse="dimension 2 of input 0 (input) is not known")
    yield Case("corners", inputs=[x, np.array([4, 3]), np.bool_(True)], constants=[1, 2], shapes="static", refuse="align_corners")
