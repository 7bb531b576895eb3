# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mct_quantizers::WeightsSymmetricQuantizer: numbers on one of so many levels around 0.

Source: quantize_sym_weights_numpy of Sony's mct_quantizers.
"""
import numpy as np

from definition import Case

NEAR = {"rtol": 1e-6, "atol": 0, "why": "steps that are no powers of two are rounded"}


def quantized(x, low, high, step):
    return np.round(np.clip(x, low, high) / step) * step


def define(x, threshold, num_bits, per_channel, channel_axis=0, signed=1, mctq_version=""):
    shape = [-1 if per_channel and axis == channel_axis % x.ndim else 1 for axis in range(x.ndim)]
    limit = np.float64(threshold).reshape(shape)
    step = limit / 2 ** (num_bits - 1)
    return quantized(x.astype(np.float64), -limit, limit - step, step).astype(np.float32)


def cases():
    x = np.random.default_rng(2).standard_normal((3, 4, 2, 2)).astype(np.float32)
    for bits in (2, 4, 8, 16):
        attributes = {"num_bits": bits, "per_channel": 1, "channel_axis": 0, "signed": 1, "mctq_version": "1.5.2"}
        yield Case(f"channels-{bits}", inputs=[x, np.float32([0.7, 1.3, 0.9])], attributes=attributes, constants=[1], constants_as="node", **NEAR)
    yield Case("second-axis", inputs=[x, np.float32([1, 2, 0.5, 4])], attributes={**attributes, "num_bits": 8, "channel_axis": -3}, constants=[0, 1])
    yield Case("one-threshold", inputs=[x, np.float32([0.6])], attributes={"num_bits": 8, "per_channel": 0, "channel_axis": 0, "signed": 1}, constants=[1], **NEAR)
    yield Case("double", inputs=[np.float64(x), np.float64([0.6])], attributes={"num_bits": 8, "per_channel": 0}, refuse="dtype(x)")
