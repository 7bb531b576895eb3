# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::col2im: blocks added up to images.

Source: PyTorch's documentation of torch.nn.functional.fold.
"""
import itertools

import numpy as np

from definition import Case

def define(x, output_size, kernel_size, dilation, padding, stride):
    if x.ndim == 2:
        return define(x[None], output_size, kernel_size, dilation, padding, stride)[0]
    size = [int(n) + 2 * int(p) for n, p in zip(output_size, padding)]
    blocks = [(n - int(d) * (int(k) - 1) - 1) // int(s) + 1 for n, k, d, s in zip(size, kernel_size, dilation, stride)]
    cells = [int(k) for k in kernel_size]
    channels = x.shape[1] // (cells[0] * cells[1])
    image = np.zeros((x.shape[0], channels, *size))
    parts = x.reshape(x.shape[0], channels, *cells, *blocks)
    for i, j, row, column in itertools.product(*map(range, (*cells, *blocks))):
        image[:, :, row * stride[0] + i * dilation[0], column * stride[1] + j * dilation[1]] += parts[:, :, i, j, row, column]
    top, left = map(int, padding)
    return image[:, :, top : top + int(output_size[0]), left : left + int(output_size[1])].astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime sums in another order."}
    random = np.random.default_rng(0)
    for name, channels, size, kernel, dilation, padding, stride, blocks in (
        ("plain", 2, (4, 4), (2, 2), (1, 1), (0, 0), (1, 1), 9), ("strided", 1, (6, 7), (2, 3), (1, 1), (0, 0), (2, 3), 6),
        ("uneven", 3, (7, 8), (3, 2), (1, 2), (1, 0), (2, 2), 12), ("one-cell", 2, (3, 2), (1, 1), (1, 1), (0, 0), (1, 1), 6)):
        x = random.standard_normal((2, channels * kernel[0] * kernel[1], blocks)).astype(np.float32)
        numbers = [np.int64(pair) for pair in (size, kernel, dilation, padding, stride)]
        yield Case(name, inputs=[x, *numbers], constants=[1, 2, 3, 4, 5], shapes=[("n", x.shape[1], "l"), *["static"] * 5], opsets=range(9, 27) if name == "uneven" else (9, 13, 26), **tolerance)
        if name == "plain":
            yield Case("no-batch", inputs=[x[0], *numbers], constants=[1, 2, 3, 4, 5], shapes="static", opsets=(9, 13, 26), **tolerance)
            yield Case("unknown", inputs=[x, *numbers], constants=[1, 2, 3, 4, 5], opsets=(13,), refuse="dimension -2 of input 0 (x) is not known")
