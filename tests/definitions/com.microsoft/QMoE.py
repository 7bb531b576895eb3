# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QMoE: MoE with weights of few bits, the lowest bits of a byte first: (integer - zero point) * scale, with a scale for each row or block of one.

Whatever normalize_routing_weights says, ONNX Runtime's kernel makes weights of the scores of the chosen experts alone.

Source: ONNX Runtime's contrib operator QMoE.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
experts = definition_of("com.microsoft", "MoE").define


def unpacked(packed, bits):
    parts = [packed >> shift & ((1 << bits) - 1) for shift in range(0, 8, bits)]
    return np.stack(parts, axis=-1).reshape(*packed.shape[:-1], -1)


def dequantized(weights, scales, zero_points, bits):
    values = unpacked(weights, bits).astype(float)
    by_block = values.reshape(*values.shape[:2], -1 if scales.ndim == 3 else 1, values.shape[2] // (scales.shape[2] if scales.ndim == 3 else 1))
    zeros = np.full(by_block.shape[:3], 1 << (bits - 1), float)
    if zero_points is not None:
        zeros = unpacked(zero_points, bits)[..., : scales.shape[-1]].reshape(zeros.shape)
    return ((by_block - zeros[..., None]) * scales.astype(float).reshape(*by_block.shape[:3], 1)).reshape(values.shape)


def define(x, router, w1, s1, b1, w2, s2, b2, w3=None, s3=None, b3=None, z1=None, z2=None, z3=None, *, expert_weight_bits=4, block_size=0, **attributes):
    first, second = dequantized(w1, s1, z1, expert_weight_bits), dequantized(w2, s2, z2, expert_weight_bits)
    return experts(x, router, first, b1, second, b2, **{**attributes, "normalize_routing_weights": 1})


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-3, "atol": 1e-4, "why": "sums of weights with large scales are rounded in another order than here", "opsets": range(11, 27), "shapes": "static"}

    def inputs(bits=4, block=0, fused=1, zeros=False, biases=True):
        def layer(out, size):
            shape = (3, out, size // block) if block else (3, out)
            points = None
            if zeros:
                points = numbers.integers(0, 256, *(shape[:-1]), -(-shape[-1] * bits // 8), dtype=np.uint8)
            return numbers.integers(0, 256, 3, out, size * bits // 8, dtype=np.uint8), numbers.positive(*shape) / 8, points

        (w1, s1, z1), (w2, s2, z2) = layer(32 * fused, 32), layer(32, 32)
        b1, b2 = (numbers.floats(3, 32 * fused), numbers.floats(3, 32)) if biases else (None, None)
        return [numbers.floats(5, 32), numbers.floats(5, 3), w1, s1, b1, w2, s2, b2, None, None, None, z1, z2]

    known = {"constants": [2, 5]}
    for bits in (4, 8):
        plain = {"k": 2, "expert_weight_bits": bits}
        yield Case(f"rows-{bits}", inputs=inputs(bits)[:8], attributes=plain, **known, **tolerance)
        yield Case(f"blocks-{bits}", inputs=inputs(bits, 16)[:8], attributes={**plain, "block_size": 16, "normalize_routing_weights": 1}, **known, **tolerance)
    swiglu = {"k": 2, "normalize_routing_weights": 1, "activation_type": "swiglu", "swiglu_fusion": 1, "swiglu_limit": 7.0, "activation_alpha": 1.702, "activation_beta": 1.0}
    yield Case("swiglu", inputs=inputs(fused=2, block=16)[:8], attributes={**swiglu, "block_size": 16}, **known, **tolerance)
    yield Case("zero-points", inputs=inputs(block=16, zeros=True), attributes={"k": 2, "block_size": 16}, **known, **tolerance)
    yield Case("zero-points-of-rows", inputs=inputs(zeros=True), attributes={"k": 2}, **known, **tolerance)
    yield Case("other-type", inputs=inputs()[:8], attributes={"quant_type": "fp8"}, refuse="quant_type is not int", shapes="static", **known)
