# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""MQBench_custom::fake_quantized: numbers rounded to steps.

Source: fake_quantize_per_tensor_affine of torch, and fake_quantize/lsq.py of MQBench.
"""
import numpy as np

from definition import Case, definition_of

SHARED = definition_of("MQBench_custom", "_fake_quantize")


def define(x, scale, zero_point, quant_min, quant_max, in_torch):
    return (SHARED.in_torch if in_torch else SHARED.in_mqbench)(x, scale, zero_point, quant_min, quant_max)


def cases():
    bounds = [np.int64(-8), np.int64(7)]
    for in_torch in (0, 1):
        yield Case(f"{in_torch}", inputs=[SHARED.numbers(), np.float32([0.1]), np.int32([2]), *bounds], attributes={"in_torch": in_torch})
        # Between two steps: the halves go to the even level, before or after the odd zero point is added.
        yield Case(f"halves-{in_torch}", inputs=[np.float32([-1.5, -0.5, 0.5, 1.5]), np.float32([1]), np.int32([1]), *bounds], attributes={"in_torch": in_torch})
