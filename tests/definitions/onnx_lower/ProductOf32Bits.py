# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::ProductOf32Bits: the lowest 32 bits of a product.

Source: its rule.
"""
import numpy as np

from definition import Case


def define(x, high, low):
    return np.array([int(number) * (high * 65536 + low) % 2**32 for number in x.ravel()], np.int64).reshape(x.shape)


def cases():
    x = np.int64([[0, 1, 2**32 - 1], [2**31, 123456789, 3000000000]])
    # OpenVINO has integers of 32 bits only.
    fields = {"cannot": {"openvino": "it computes integers of 64 bits in 32"}}
    for factor in (0xCC9E2D51, 5, 2**32 - 1):
        yield Case(f"{factor}", inputs=[x], attributes={"high": factor >> 16, "low": factor & 65535}, **fields)
