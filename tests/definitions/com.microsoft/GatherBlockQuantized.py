# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::GatherBlockQuantized: rows of a matrix that is quantized in blocks along them, dequantized.

Source: ONNX Runtime's contrib operator GatherBlockQuantized.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
unpack = definition_of("com.microsoft", "MatMulNBits").unpack


def define(data, indices, scales, zero_points=None, bits=4, block_size=128, gather_axis=0, quantize_axis=1):
    packed = data.dtype == np.uint8
    codes = (unpack(data, bits) if packed else data).astype(np.float64)
    block = np.arange(codes.shape[1]) // block_size
    if zero_points is not None:
        zeros = (unpack(zero_points, bits) if packed else zero_points).astype(np.float64)[:, block]
    else:
        zeros = 2.0 ** (bits - 1) if packed else 0.0
    return ((codes - zeros) * scales[:, block]).astype(scales.dtype)[indices]


def cases():
    numbers = _random.Numbers()
    common = {"rtol": 1e-6, "atol": 1e-7, "why": "a float product is rounded"}
    indices, scales = numbers.integers(0, 10, 2, 3), numbers.floats(10, 4)
    for bits in (2, 4, 8):
        data, zeros = numbers.bytes(10, 64 * bits // 8), numbers.bytes(10, 4 * bits // 8)
        attributes = {"bits": bits, "block_size": 16}
        yield Case(f"zero-points-{bits}", inputs=[data, indices, scales, zeros], attributes=attributes, constants=[0, 2, 3], **common)
        yield Case(f"no-zero-points-{bits}", inputs=[data, indices, scales], attributes=attributes, constants=[0, 2], **common)
    for dtype, name in ((ml_dtypes.uint4, "uint4"), (ml_dtypes.int4, "int4")):
        data, zeros = numbers.integers(0, 8, 10, 64).astype(dtype), numbers.integers(0, 8, 10, 4).astype(dtype)
        yield Case(f"zero-points-{name}", inputs=[data, indices, scales, zeros], attributes={"block_size": 16}, constants=[0, 2, 3],
                   opsets=range(21, 27), cannot={"openvino": "it does not read 4-bit tensors in this form"}, **common)
