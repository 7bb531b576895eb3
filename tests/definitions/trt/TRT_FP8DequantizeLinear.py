# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""trt::TRT_FP8DequantizeLinear: numbers of 8 bits times scale.

Source: NVIDIA's modelopt, and its replacement of the node by DequantizeLinear of float8e4m3fn.
"""
import ml_dtypes
import numpy as np

from definition import Case


def define(x, scale):
    return (x.view(ml_dtypes.float8_e4m3fn).astype(scale.dtype) * scale).astype(scale.dtype)


def cases():
    codes = np.arange(256, dtype=np.uint8).reshape(16, 16)
    yield Case("all-codes", inputs=[codes, np.float32(0.1)], constants=[1])
    yield Case("list-of-one", inputs=[codes, np.float32([3])], constants=[1], also=[[codes[:0], np.float32([3])]])
    yield Case("float16", inputs=[codes[:, :12].copy(), np.float16(0.5)])
    numbers = codes[:, :15].copy().view(ml_dtypes.float8_e4m3fn)
    yield Case("constant-numbers", inputs=[numbers, np.float32(0.1)], constants=[0, 1], opsets=range(19, 27))
    yield Case("scale-per-channel", inputs=[codes[:2], np.float32([1, 2])], shapes="static", refuse="scale")
