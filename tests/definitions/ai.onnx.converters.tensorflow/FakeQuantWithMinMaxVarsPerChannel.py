# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::FakeQuantWithMinMaxVarsPerChannel: what remains of numbers on so many levels.

Source: TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(x, low, high, num_bits=8, narrow_range=0):
    lowest, highest = np.float32(1 if narrow_range else 0), np.float32(2**num_bits - 1)
    y = np.zeros_like(x)
    for channel in range(x.shape[-1]):
        if low[channel] == high[channel]:
            continue
        scale = (high[channel] - low[channel]) / (highest - lowest)
        zero = np.clip(np.floor(lowest - low[channel] / scale + np.float32(0.5)), lowest, highest)
        least, greatest = (lowest - zero) * scale, (highest - zero) * scale
        level = np.floor((np.clip(x[..., channel], least, greatest) - least) / scale + np.float32(0.5))
        y[..., channel] = level * scale + least
    return y


def cases():
    x = np.random.default_rng(7).standard_normal((5, 4, 3)).astype(np.float32)
    low, high = np.float32([-1, -0.5, 0]), np.float32([1, 2, 0])
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "products in float"}
    yield Case("bytes", inputs=[x, low, high], attributes={"num_bits": 8, "narrow_range": 0}, **near)
    yield Case("narrow", inputs=[x, low, high], attributes={"num_bits": 4, "narrow_range": 1}, constants=[1, 2], **near)
