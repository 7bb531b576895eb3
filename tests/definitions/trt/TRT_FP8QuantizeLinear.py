# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""trt::TRT_FP8QuantizeLinear: x / scale in 8 bits.

Source: NVIDIA's modelopt, and its replacement of the node by QuantizeLinear to float8e4m3fn.
"""
import ml_dtypes
import numpy as np

from definition import Case


def define(x, scale):
    number = np.clip(x.astype(np.float32) / np.float32(scale), -448, 448)
    return number.astype(ml_dtypes.float8_e4m3fn).view(np.uint8).reshape(x.shape)


def cases():
    codes = np.delete(np.arange(256, dtype=np.uint8), [127, 255])
    numbers = np.sort(codes.view(ml_dtypes.float8_e4m3fn).astype(np.float32))
    between = (numbers[1:] + numbers[:-1]) / 2  # halfway, and next to that
    x = np.concatenate([numbers, between, np.nextafter(between, np.float32(1e9)), np.float32([500, -1e30, 1e-30])])
    x = x[x != 0].reshape(1, -1)
    yield Case("all-codes", inputs=[x, np.float32(1)], constants=[1])
    yield Case("scale", inputs=[x * np.float32(0.375), np.float32([0.375])], constants=[1], constants_as="node", also=[[np.zeros((0, 3), np.float32), np.float32([0.375])]])
    yield Case("float16", inputs=[np.float16([[0.1, -3, 200, 1000]]), np.float16(0.5)])
    yield Case("not-finite", inputs=[np.float32([np.inf, -np.inf, np.nan]), np.float32(1)], define=lambda x, scale: np.uint8([0x7E, 0xFE, 0x7F]))
    yield Case("scale-per-channel", inputs=[np.ones((2, 2), np.float32), np.float32([1, 2])], shapes="static", refuse="scale")
