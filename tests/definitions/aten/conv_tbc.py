# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::conv_tbc: a convolution along time of a tensor of time, batch and channels.

Source: PyTorch's documentation of torch.conv_tbc, and aten/src/ATen/native/ConvolutionTBC.cpp.
"""
import numpy as np

from definition import Case


def define(x, weight, bias, pad=0):
    padded = np.pad(np.float64(x), ((int(pad), int(pad)), (0, 0), (0, 0)))
    steps = padded.shape[0] - weight.shape[0] + 1
    y = sum(padded[k : k + steps] @ np.float64(weight[k]) for k in range(weight.shape[0]))
    return (y + bias).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(4)
    x, weight, bias = (numbers.standard_normal(shape).astype(np.float32) for shape in ((6, 2, 3), (3, 3, 4), (4,)))
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "sums in another order"}
    yield Case("padded", inputs=[x, weight, bias, np.int64(2)], constants=[1, 2, 3], **near)
    yield Case("usual", inputs=[x, weight, bias], shapes="static", opsets=(9, 13, 26), **near)
