# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::pixel_unshuffle: squares of pixels become channels.

Source: PyTorch's documentation of torch.nn.PixelUnshuffle.
"""
import numpy as np

from definition import Case


def define(x, factor):
    r = int(factor)
    *leading, channels, height, width = x.shape
    y = np.zeros((*leading, channels * r * r, height // r, width // r), x.dtype)
    for i in range(r):
        for j in range(r):
            y[..., i * r + j::r * r, :, :] = x[..., i::r, j::r]
    return y


def cases():
    x = np.arange(2 * 3 * 6 * 12, dtype=np.float32).reshape(2, 3, 6, 12)
    for factor in (1, 2, 3):
        yield Case(f"factor{factor}", inputs=[x, np.int64(factor)], constants=[1], opsets=range(9, 27) if factor == 2 else (9, 13, 26))
    yield Case("rank-3", inputs=[x[0], np.int64(2)], constants=[1], opsets=(9, 13, 26))
    yield Case("int64-rank-5", inputs=[x[None].astype(np.int64), np.int64(2)], constants=[1], opsets=(9, 13, 26), shapes="static")
