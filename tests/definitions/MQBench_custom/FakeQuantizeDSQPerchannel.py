# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""MQBench_custom::FakeQuantizeDSQPerchannel: numbers rounded to steps, of each channel.

Source: dsq_function_per_channel of MQBench's fake_quantize/dsq.py.
"""
from definition import definition_of

SHARED = definition_of("MQBench_custom", "_fake_quantize")


def define(x, scale, zero_point, *bounds, ch_axis=0, alpha=0.4, quant_min=None, quant_max=None):
    if bounds:
        quant_min, quant_max = (int(bound.item()) for bound in bounds)
    scale, zero_point = SHARED.along(x, ch_axis, scale, zero_point)
    return SHARED.dsq(x, scale, zero_point, quant_min, quant_max, alpha)


def cases():
    yield from SHARED.channel_cases(alpha=0.3)
