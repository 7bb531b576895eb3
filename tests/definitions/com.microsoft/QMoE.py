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


def define(x, router, w1, s1, b1, w2, s2, b2=None, w3=None, s3=None, b3=None, z1=None, z2=None, z3=None, *, expert_weight_bits=4, block_size=0, fc1_expert_weight_bits=None, **attributes):
    first, second = dequantized(w1, s1, z1, fc1_expert_weight_bits or expert_weight_bits), dequantized(w2, s2, z2, expert_weight_bits)
    third = None if w3 is None else dequantized(w3, s3, z3, expert_weight_bits)
    return experts(x, router, first, b1, second, b2, third, b3, **{**attributes, "normalize_routing_weights": 1})


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-3, "atol": 1e-4, "why": "sums of weights with large scales are rounded in another order than here", "opsets": range(11, 27), "shapes": "static"}

    def inputs(bits=4, block=0, fused=1, zeros=False, biases=True, size=32, third=False, first_bits=None, dtype=np.float32, scale_type=None, shape=(5,)):
        def layer(out, size, bits=bits):
            shape = (3, out, size // block) if block else (3, out)
            points = None
            if zeros:
                points = numbers.integers(0, 256, *(shape[:-1]), -(-shape[-1] * bits // 8), dtype=np.uint8)
            return numbers.integers(0, 256, 3, out, size * bits // 8, dtype=np.uint8), (numbers.positive(*shape) / 8).astype(scale_type or dtype), points

        (w1, s1, z1), (w2, s2, z2) = layer(size * fused, 32, first_bits or bits), layer(32, size)
        b1, b2 = (numbers.floats(3, size * fused).astype(dtype), numbers.floats(3, 32).astype(dtype)) if biases else (None, None)
        w3, s3, z3 = layer(size, 32) if third else (None, None, None)
        values = [numbers.floats(*shape, 32).astype(dtype), numbers.floats(int(np.prod(shape)), 3).astype(dtype), w1, s1, b1, w2, s2, b2, w3, s3, None, z1, z2, z3]
        while values[-1] is None:
            values.pop()
        return values

    known = {"constants": [2, 5]}
    for bits in (4, 8):
        plain = {"k": 2, "expert_weight_bits": bits}
        yield Case(f"rows-{bits}", inputs=inputs(bits), attributes=plain, **known, **tolerance)
        yield Case(f"blocks-{bits}", inputs=inputs(bits, 16), attributes={**plain, "block_size": 16, "normalize_routing_weights": 1}, **known, **tolerance)
    swiglu = {"k": 2, "normalize_routing_weights": 1, "activation_type": "swiglu", "swiglu_fusion": 1, "swiglu_limit": 7.0, "activation_alpha": 1.702, "activation_beta": 1.0}
    yield Case("swiglu", inputs=inputs(fused=2, block=16), attributes={**swiglu, "block_size": 16}, **known, **tolerance)
    yield Case("zero-points", inputs=inputs(block=16, zeros=True), attributes={"k": 2, "block_size": 16}, **known, **tolerance)
    yield Case("zero-points-of-rows", inputs=inputs(zeros=True), attributes={"k": 2}, **known, **tolerance)
    # Weights that are constants stay as small as they are.
    no_kernel = {"cannot": {"kernel": "it has interleaved swiglu and two weights only"}}
    blocks = {"k": 2, "block_size": 16}
    separate = {**blocks, "activation_type": "swiglu"}
    concatenated = {**blocks, "activation_type": "swiglu", "swiglu_fusion": 2}
    for name, values, attributes, others in (
        *((f"rows-{bits}", inputs(bits), {"k": 2, "expert_weight_bits": bits}, {}) for bits in (2, 4, 8)),
        *((f"blocks-{bits}", inputs(bits, 16, shape=(2, 3)), {**blocks, "expert_weight_bits": bits}, {}) for bits in (2, 4, 8)),
        ("zero-points", inputs(block=16, zeros=True), blocks, {}),
        ("zero-points-8", inputs(8, 16, zeros=True), {**blocks, "expert_weight_bits": 8}, {}),
        ("zero-points-of-rows", inputs(zeros=True), {"k": 2}, {}),
        ("three-blocks", inputs(block=16, zeros=True, size=48), blocks, {}),
        ("no-biases", inputs(block=16, biases=False), {**blocks, "activation_type": "gelu"}, {}),
        ("identity", inputs(block=16), {**blocks, "activation_type": "identity"}, {}),
        ("interleaved", inputs(fused=2, block=16, shape=(2, 3)), {**swiglu, "block_size": 16}, {}),
        ("concatenated", inputs(fused=2, block=16), concatenated, no_kernel),
        ("separate", inputs(block=16, third=True, zeros=True), separate, no_kernel),
        ("gated", inputs(third=True), {"k": 2, "activation_type": "silu"}, no_kernel),
        ("other-bits", inputs(block=16, first_bits=8), {**blocks, "fc1_expert_weight_bits": 8}, no_kernel),
        ("float16", inputs(block=16, dtype=np.float16), blocks, {"rtol": 2e-2, "atol": 2e-1}),
        ("two-types", inputs(block=16, scale_type=np.float16), blocks, {"rtol": 1e-3, "atol": 1e-2}),
        ("two-types-by-rows", inputs(dtype=np.float16, scale_type=np.float32), {"k": 2}, {"rtol": 2e-2, "atol": 2e-2}),
    ):
        constants = [index for index, value in enumerate(values) if index > 1 and value is not None]
        yield Case(f"constant-{name}", inputs=values, attributes=attributes, **{**tolerance, **others}, constants=constants)
    yield Case("other-type", inputs=inputs(), attributes={"quant_type": "fp8"}, refuse="quant_type is not int", shapes="static", **known)
