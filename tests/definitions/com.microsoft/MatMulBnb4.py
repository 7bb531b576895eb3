# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulBnb4: A times a matrix (N, K) of 4-bit codes, flattened, with a scale for each block of codes.

Source: ONNX Runtime's contrib operator MatMulBnb4; the codes are those of bitsandbytes.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")

# A sign, and the magnitudes of a float with two exponent bits and one of mantissa, divided by the largest; the second is a special one.
_FP4 = np.array([0.0, 0.0625 / 12, 8 / 12, 1.0, 4 / 12, 6 / 12, 2 / 12, 3 / 12])
_NF4 = np.float32([-1.0, -0.6961928, -0.52507305, -0.3949175, -0.28444138, -0.18477343, -0.09105004, 0.0, 0.0795803, 0.1609302, 0.2461123,
                   0.33791524, 0.44070983, 0.562617, 0.72295684, 1.0])


def define(a, b, absmax, *, K, N, block_size, quant_type, transB=1, training_mode=0):
    codes = np.stack([b >> 4, b & 15], -1).reshape(-1)[: N * K]
    units = np.concatenate([_FP4, -_FP4])[codes] if quant_type == 0 else _NF4[codes]
    matrix = (units * absmax[np.arange(N * K) // block_size]).reshape(N, K)
    return (a.astype(np.float64) @ (matrix.T if transB else matrix)).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-5, "why": _random.FLOAT_WHY, "constants": [1, 2]}
    for quant_type in (0, 1):
        for k, n in ((32, 4), (20, 3), (7, 3)):
            inputs = [numbers.floats(2, k), numbers.bytes((n * k + 1) // 2), numbers.positive(-(-n * k // 16))]
            attributes = {"K": k, "N": n, "block_size": 16, "quant_type": quant_type}
            yield Case(f"type-{quant_type}-{k}", inputs=inputs, attributes=attributes, **tolerance)
    inputs = [numbers.floats(2, 4), numbers.bytes(64), numbers.positive(8)]
    attributes = {"K": 32, "N": 4, "block_size": 16, "quant_type": 1, "transB": 0}
    yield Case("not-transposed", inputs=inputs, attributes=attributes, **tolerance)
