# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QOrderedAttention: attention of int8, whose steps are quantized one by one.

Source: ONNX Runtime's contrib operator QOrderedAttention and its CUDA kernels.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_attention = definition_of("com.microsoft", "_attention")
_product = definition_of("com.microsoft", "QOrderedMatMul")


def saturated(x):
    return np.clip(np.rint(x), -128, 127)


def define(x, scale_x, scale_q, scale_k, scale_v, *rest, num_heads, **orders):
    *parts, scale_qk, scale_softmax, scale_y, mask = rest
    weights, weight_scales, biases = parts[:3], parts[3:6], parts[6:9]
    projected = [_product.define(x, scale_x, weight, weight_scale, scale, bias / scale)
                 for weight, weight_scale, bias, scale in zip(weights, weight_scales, biases, (scale_q, scale_k, scale_v))]
    q, k, v = (_attention.heads(rows, num_heads).astype(float) for rows in projected)
    scores = saturated(q @ k.swapaxes(2, 3) * scale_q * scale_k / scale_qk)
    powers = np.exp((scores - scores.max(-1, keepdims=True)) * scale_qk / np.sqrt(q.shape[3])) * (mask != 0)[:, None, None]
    probabilities = saturated(powers / (powers.sum(-1, keepdims=True) * scale_softmax))
    return _attention.merged(saturated(probabilities @ v * scale_softmax * scale_v / scale_y)).astype(np.int8)


def cases():
    numbers = _random.Numbers()
    attributes = {"num_heads": 2, "order_input": 1, "order_weight": 0, "order_output": 1, "qkv_hidden_sizes": [8, 8, 8]}
    tolerance = {"atol": 2, "why": "a product or a weight that lies between two steps may go to either, and what is computed of it follows"}
    scale = np.float32

    def inputs(batch, steps, each=False):
        weights = [numbers.bytes(6, 8, dtype=np.int8) for _ in range(3)]
        weight_scales = [(numbers.positive(8) / 100).astype(np.float32) if each else scale(0.004) for _ in range(3)]
        mask = np.int32([[1] * (steps - entry) + [0] * entry for entry in range(batch)])
        fixed = [scale(0.02), scale(0.03), scale(0.04), scale(0.05)]
        return [numbers.bytes(batch, steps, 6, dtype=np.int8), *fixed, *weights, *weight_scales, *(numbers.floats(8) for _ in range(3)),
                scale(0.06), scale(1 / 127), scale(0.02), mask]

    yield Case("usual", inputs=inputs(2, 4), attributes=attributes, shapes="static", **tolerance)
    yield Case("columns", inputs=inputs(1, 5, each=True), attributes=attributes, shapes="static", **tolerance)
    yield Case("causal", inputs=inputs(2, 4), attributes=attributes | {"unidirectional": 1}, shapes="static", opsets=(18,), refuse="unidirectional is 1, not 0")
