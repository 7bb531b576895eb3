# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.amd.quark::BFPQuantizeDequantize: numbers in blocks that share an exponent.

Source: BFPCPUKernel, BFPCPUKernelCompiler and BFPPrimeCPUKernel of AMD's Quark.
"""
import math

import ml_dtypes
import numpy as np

from definition import Case, definition_of

_blocks = definition_of("com.amd.quark", "_blocks")


def _plain(block, digits, mode):
    exponent = _blocks.shared_exponent(block)
    scale = 2.0 ** (exponent - (digits - 1))
    greatest = 2.0 ** (exponent + 1) - scale
    return [min(max(_blocks.round_whole(number / scale, mode) * scale, -greatest), greatest) if math.isfinite(number) else number for number in block]


def _of_compiler(block, digits, mode):
    exponent = _blocks.shared_exponent(block)
    scale = 2.0 ** (exponent - (digits - 1))
    largest = [_blocks.round_whole(number / scale, mode) for number in block if math.isfinite(number) and _blocks.exponent_field(number) == exponent + 127]
    if any(code >= 128 or code < -128 for code in largest):
        scale *= 2
    return [_blocks.round_whole(number / scale, mode) * scale if math.isfinite(number) else number for number in block]


def _prime(block, digits, mode, sub_size, sub_bits):
    fields = [_blocks.exponent_field(number) for number in block]
    shared = max(fields)
    if shared == 0xFF:
        return [math.nan] * len(block)
    numbers = []
    for begin in range(0, len(block), sub_size):
        shift = min(shared - max(fields[begin : begin + sub_size]), 2**sub_bits - 1)
        for number, field in zip(block[begin : begin + sub_size], fields[begin : begin + sub_size]):
            digit = 2.0 ** (shared - 127 - shift + 1 - digits)
            size = abs(number) / digit if field else 0.0
            sign = math.copysign(1, number)
            code = math.floor(size) if math.floor(size) == 2**digits - 1 else abs(_blocks.round_whole(sign * size, mode))
            numbers.append(sign * code * digit)
    return numbers


def define(x, bfp_method="to_bfp", axis=1, bit_width=16, block_size=8, rounding_mode=0, sub_block_size=2, sub_block_shift_bits=1, convert_to_bfloat_before_bfp=0,
           use_compiler_version_cpu_kernel=0):
    def of_block(block):
        if bfp_method != "to_bfp":
            return _prime(block, bit_width - 9, rounding_mode, sub_block_size, sub_block_shift_bits)
        return (_of_compiler if use_compiler_version_cpu_kernel else _plain)(block, bit_width - 9, rounding_mode)

    numbers = x.astype(ml_dtypes.bfloat16).astype(np.float32) if convert_to_bfloat_before_bfp else x
    return _blocks.by_blocks(numbers, axis, block_size, of_block).astype(x.dtype)


def cases():
    x = _blocks.numbers(2, 20, 3)
    bfp16 = {"bfp_method": "to_bfp", "axis": 1, "bit_width": 16, "block_size": 8, "sub_block_size": 2, "sub_block_shift_bits": 1, "convert_to_bfloat_before_bfp": 0}
    for mode in (0, 1, 2):
        yield Case(f"bfp16-rounding-{mode}", inputs=[x], attributes={**bfp16, "rounding_mode": mode})
    yield Case("from-bfloat16", inputs=[x], attributes={**bfp16, "rounding_mode": 2, "convert_to_bfloat_before_bfp": 1}, also=[[x[:1, :8, :1] * 1.003], [np.float32([[[1.003]]])]])
    near_power = np.float32([[1.9999, 0.3, -0.2, 1.25, 0, 0, 0, 0], [-1.9999, 1, 0.1, 0.2, 3, 4, 5, 3.999], [-1.996, 0.1, 0, 0, 0.007, 0.0703125, 0, -0.0078125]])
    for mode in (0, 1, 2):
        attributes = {**bfp16, "rounding_mode": mode, "block_size": 4}
        yield Case(f"greatest-{mode}", inputs=[near_power], attributes=attributes, shapes="static", opsets=[9, 13, 18, 26])
        yield Case(f"of-compiler-{mode}", inputs=[near_power], attributes={**attributes, "use_compiler_version_cpu_kernel": 1}, opsets=[11, 18, 26])
    for bits in (11, 13, 16):
        yield Case(f"prime-{bits}", inputs=[x], attributes={**bfp16, "bfp_method": "to_bfp_prime", "bit_width": bits, "block_size": 16, "rounding_mode": 2})
    yield Case("prime-upwards", inputs=[near_power], attributes={**bfp16, "bfp_method": "to_bfp_prime_shared", "rounding_mode": 1, "block_size": 4, "sub_block_shift_bits": 2}, opsets=[11, 18])
    yield Case("prime-away", inputs=[near_power], attributes={**bfp16, "bfp_method": "to_bfp_prime", "rounding_mode": 0, "block_size": 8, "sub_block_size": 4}, opsets=[11, 18])
    odd = np.float32([[0, 0, 0, 0, np.nan, 1.3, np.inf, -0.7], [1e-30, 3e-30, -np.inf, 0, 1e30, 1e29, 7e28, 1]])
    yield Case("odd", inputs=[odd], attributes={**bfp16, "block_size": 4}, also=[[np.zeros((0, 4), np.float32)]])
    yield Case("odd-prime", inputs=[odd], attributes={**bfp16, "bfp_method": "to_bfp_prime", "block_size": 4})
    yield Case("odd-from-bfloat16", inputs=[odd], attributes={**bfp16, "convert_to_bfloat_before_bfp": 1}, opsets=[11, 18])
    yield Case("one-dimension", inputs=[x[0, :, 0]], attributes=bfp16, also=[[np.float32([0.3])]])
    yield Case("defaults-float16", inputs=[x.astype(np.float16)], opsets=[13, 18])
    yield Case("unknown-method", inputs=[x], attributes={"bfp_method": "to_bfq"}, refuse="bfp_method")
    yield Case("parts-that-do-not-fit", inputs=[x], attributes={"bfp_method": "to_bfp_prime", "sub_block_size": 3}, refuse="sub_block_size")
