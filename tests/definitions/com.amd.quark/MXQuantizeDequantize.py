# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.amd.quark::MXQuantizeDequantize: blocks of small numbers, each block with a power of two.

Source: MXCPUKernel of AMD's Quark.
"""
import math

import ml_dtypes
import numpy as np

from definition import Case, definition_of

_blocks = definition_of("com.amd.quark", "_blocks")

# The exponent of the greatest number's power of two, that number, and the numbers themselves.
FORMATS = {"fp8_e5m2": (15, 57344, ml_dtypes.float8_e5m2), "fp8_e4m3": (8, 448, ml_dtypes.float8_e4m3fn), "fp6_e3m2": (4, 28, ml_dtypes.float6_e3m2fn),
           "fp6_e2m3": (2, 7.5, ml_dtypes.float6_e2m3fn), "fp4_e2m1": (2, 6, ml_dtypes.float4_e2m1fn)}


def define(x, element_dtype="int8", axis=1, block_size=32, rounding_mode=0):
    def of_block(block):
        greatest_exponent, greatest, format_type = FORMATS.get(element_dtype, (0, 0, None))
        scale = 2.0 ** (_blocks.shared_exponent(block) - greatest_exponent)

        def of_number(number):
            if not math.isfinite(number):
                return number
            if format_type is None:
                return min(max(_blocks.round_whole(number / scale * 64, rounding_mode), -128.0), 127.0) / 64 * scale
            return float(np.float32(np.clip(number / scale, -greatest, greatest)).astype(format_type)) * scale

        return [of_number(number) for number in block]

    return _blocks.by_blocks(x, axis, block_size, of_block)


def cases():
    x = _blocks.numbers(2, 40, 3)
    for element_dtype in FORMATS:
        yield Case(element_dtype, inputs=[x], attributes={"element_dtype": element_dtype, "axis": 1, "block_size": 32, "rounding_mode": 2})
    for mode in (0, 1, 2):
        yield Case(f"int8-rounding-{mode}", inputs=[x], attributes={"element_dtype": "int8", "axis": 1, "block_size": 8, "rounding_mode": mode}, shapes="static")
    yield Case("defaults", inputs=[x[:, :32]], opsets=[11, 18], also=[[x[:1, :7]]])
    yield Case("last-axis", inputs=[x], attributes={"axis": -1, "block_size": 2, "element_dtype": "fp4_e2m1"}, shapes=[("n", "c", 3)])
    yield Case("one-dimension", inputs=[x[0, :, 0]], attributes={"axis": 1, "block_size": 16, "element_dtype": "fp8_e4m3"}, also=[[np.float32([0.3])]])
    yield Case("one-number", inputs=[np.float32([[0.3]])], shapes="static", opsets=[18])
    yield Case("no-dimension", inputs=[np.float32(0.3)], opsets=[18])
    odd = np.float32([[0, 0, 0, 0, np.nan, 1.3, np.inf, -0.7], [1e-30, 3e-30, -np.inf, 0, 1e30, 1e29, 7e28, 1]])
    yield Case("odd", inputs=[odd], attributes={"axis": 1, "block_size": 4, "element_dtype": "fp8_e4m3"})
    yield Case("float16", inputs=[x.astype(np.float16)], attributes={"element_dtype": "fp6_e3m2", "block_size": 16}, opsets=[13, 18])
    yield Case("unknown-type", inputs=[x], attributes={"element_dtype": "fp3"}, refuse="element_dtype")
    yield Case("rank-not-known", inputs=[x], shapes="unranked", refuse="the rank of input 0")
