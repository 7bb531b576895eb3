# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::adaptive_avg_pool2d: element i of n is the mean of [floor(i size / n), ceil((i + 1) size / n)).

Source: PyTorch's documentation of torch.nn.functional.adaptive_avg_pool2d, and its kernel for the bounds.
"""
import numpy as np

from definition import Case

def define(x, output_size):
    rows, columns = map(int, output_size)
    height, width = x.shape[-2:]
    result = np.zeros((*x.shape[:-2], rows, columns))
    for i in range(rows):
        for j in range(columns):
            window = x[..., i * height // rows : -(-(i + 1) * height // rows), j * width // columns : -(-(j + 1) * width // columns)]
            result[..., i, j] = window.astype(np.float64).mean((-2, -1))
    return result.astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime sums in another order."}
    x = np.random.default_rng(0).standard_normal((2, 3, 7, 5)).astype(np.float32)
    for size in ((3, 3), (7, 1), (2, 8)):
        yield Case(f"{size[0]}x{size[1]}", inputs=[x, np.int64(size)], constants=[1], shapes="static", opsets=range(9, 27) if size == (3, 3) else (9, 13, 26), **tolerance)
    yield Case("no-batch", inputs=[x[0], np.int64([3, 2])], constants=[1], shapes="static", opsets=(9, 13, 26), **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), np.int64([3, 2])], constants=[1], shapes=[("n", "c", 7, 5), "static"], opsets=(9, 13, 26), **tolerance)
    # What is infinite or no number is in the means of its own parts, and in no others.
    special = x.copy()
    special[0, 1, 2, 3], special[0, 2, 6, 0], special[1, 0, 0, 4] = np.inf, np.nan, -np.inf
    for size in ((3, 3), (7, 1), (1, 1), (7, 5)):
        yield Case(f"special-{size[0]}x{size[1]}", inputs=[special, np.int64(size)], constants=[1], shapes="static", opsets=(9, 13, 26), **tolerance)
    yield Case("unknown", inputs=[x, np.int64([3, 3])], constants=[1], opsets=(13,), refuse="dimension -2 of input 0 (x) is not known")
