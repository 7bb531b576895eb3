# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulNBitsQLoRA: the product with a matrix of few bits, and that with two of low rank.

Source: ONNX Runtime's contrib operator MatMulNBitsQLoRA.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_product = definition_of("com.microsoft", "MatMulNBits")
_mlp = definition_of("com.microsoft", "MatMulNBitsMlp")


def define(x, w, scales, lora_a, lora_a_scales, lora_b, lora_b_scales, *, K, N, bits=4, block_size=32, lora_bits=8, lora_block_size=32, accuracy_level=0):
    base = _product.define(x, w, scales, K=K, N=N, bits=bits, block_size=block_size)
    if lora_b.size == 0:
        return base
    adapter = {"bits": lora_bits, "block_size": lora_block_size}
    down = _product.define(x, lora_a, lora_a_scales, K=K, N=len(lora_a), **adapter)
    return base + _product.define(down, lora_b, lora_b_scales, K=len(lora_a), N=N, **adapter)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-3, "atol": 2e-2, "why": _random.FLOAT_WHY}

    def case(name, rank, bits=4, lora_bits=8, lora_block=32, **more):
        base = _mlp.weights(numbers, 6, 64, 32, bits)
        down, up = _mlp.weights(numbers, rank, 64, lora_block, lora_bits), _mlp.weights(numbers, 6, rank, lora_block, lora_bits)
        inputs = [numbers.floats(2, 3, 64) / 4, *base, down[0], down[1] / 32, up[0], up[1] / 32]
        attributes = {"K": 64, "N": 6} | ({"bits": bits, "lora_bits": lora_bits, "lora_block_size": lora_block} if more else {})
        return Case(name, inputs=inputs, attributes=attributes, constants=range(1, 7), **tolerance)

    yield case("usual", 8)
    yield case("four-bits", 20, 8, 4, 16, all=True)
    empty = case("no-adapter", 8)
    empty.inputs[5] = empty.inputs[5][:, :0]
    yield empty
    half_empty = case("no-down", 8)
    half_empty.inputs[3] = half_empty.inputs[3][:0]
    yield Case("no-down", inputs=half_empty.inputs, attributes=half_empty.attributes, constants=range(1, 7), opsets=(18,), refuse="dim(lora_A, 0) is 0")
