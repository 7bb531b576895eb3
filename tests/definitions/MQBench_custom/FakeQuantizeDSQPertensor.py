# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""MQBench_custom::FakeQuantizeDSQPertensor: numbers rounded to steps.

Source: dsq_function_per_tensor of MQBench's fake_quantize/dsq.py.
"""
from definition import definition_of

SHARED = definition_of("MQBench_custom", "_fake_quantize")


def define(x, scale, zero_point, *bounds, alpha=0.4, quant_min=None, quant_max=None):
    if bounds:
        quant_min, quant_max = (int(bound.item()) for bound in bounds)
    return SHARED.dsq(x, scale, zero_point, quant_min, quant_max, alpha)


def cases():
    yield from SHARED.tensor_cases(alpha=0.3)
