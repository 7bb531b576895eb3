# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::fft_fftshift: the element 0 brought into the middle.

Source: PyTorch's documentation of torch.fft.fftshift.
"""
import numpy as np

from definition import Case


def define(x, dim=None):
    return np.fft.fftshift(x, None if dim is None else tuple(map(int, dim)))


def cases():
    x = np.arange(30, dtype=np.float32).reshape(2, 3, 5)
    yield Case("all", inputs=[x, None], opsets=range(9, 27))
    yield Case("last", inputs=[x, np.int64([-1])], constants=[1], opsets=(9, 13, 26), also=[[x[..., :4], np.int64([-1])]])
    yield Case("two", inputs=[np.int64(x), np.int64([0, 1])], constants=[1], opsets=(10, 13, 26))
