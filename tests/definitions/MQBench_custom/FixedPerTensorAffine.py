# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""MQBench_custom::FixedPerTensorAffine: numbers rounded to steps.

Source: torch's fake_quantize_per_tensor_affine under the name that MQBench gives it.
"""
from definition import definition_of

SHARED = definition_of("MQBench_custom", "_fake_quantize")


def define(x, scale, zero_point, *bounds, quant_min=None, quant_max=None):
    if bounds:
        quant_min, quant_max = (int(bound.item()) for bound in bounds)
    return SHARED.in_torch(x, scale, zero_point, quant_min, quant_max)


def cases():
    yield from SHARED.tensor_cases()
