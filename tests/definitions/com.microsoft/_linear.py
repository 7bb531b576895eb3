# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Quantization: integers that stand for (value - zero point) * scale."""
import numpy as np

FROM_10 = range(10, 27)  # DequantizeLinear, QuantizeLinear and their kin are as old as opset 10


def real(x, scale, zero=None):
    return ((x.astype(np.int64) - (0 if zero is None else np.int64(zero))).astype(np.float32) * np.float32(scale)).astype(np.float32)


def quantized(y, scale, zero, dtype):
    info = np.iinfo(dtype)
    steps = np.rint(y.astype(np.float32) / np.float32(scale)) + (0 if zero is None else np.int64(zero))
    return np.clip(steps, info.min, info.max).astype(dtype)
