# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::adaptive_max_pool2d: the greatest elements of a grid of parts, and where they are.

Source: PyTorch's documentation of torch.nn.functional.adaptive_max_pool2d, and its kernel for the bounds.
"""
import numpy as np

from definition import Case


def define(x, output_size):
    rows, columns = map(int, output_size)
    height, width = x.shape[-2:]
    values, indices = np.zeros((*x.shape[:-2], rows, columns), x.dtype), np.zeros((*x.shape[:-2], rows, columns), np.int64)
    places = np.arange(height * width).reshape(height, width)
    for i in range(rows):
        for j in range(columns):
            part = np.s_[i * height // rows : -(-(i + 1) * height // rows), j * width // columns : -(-(j + 1) * width // columns)]
            window = x[(..., *part)].reshape(*x.shape[:-2], -1)
            values[..., i, j] = window.max(-1)
            indices[..., i, j] = places[part].reshape(-1)[window.argmax(-1)]
    return values, indices


def cases():
    x = np.random.default_rng(0).standard_normal((2, 3, 7, 5)).astype(np.float32)
    for size in ((3, 3), (7, 1), (2, 8)):
        yield Case(f"{size[0]}x{size[1]}", inputs=[x, np.int64(size)], constants=[1], outputs=2, shapes="static", opsets=range(11, 27) if size == (3, 3) else (11, 13, 26))
    yield Case("values", inputs=[x, np.int64([3, 2])], constants=[1], outputs=2, absent_outputs=[1], shapes="static", opsets=(9, 13, 26))
    yield Case("no-batch", inputs=[x[0], np.int64([3, 2])], constants=[1], outputs=2, shapes="static", opsets=(11, 13, 26))
    yield Case("unknown", inputs=[x, np.int64([3, 3])], constants=[1], outputs=1, opsets=(13,), refuse="dimension -2 of input 0 (x) is not known")
