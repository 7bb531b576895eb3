# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::from_bits: the int64 with these bits, lowest first.

Source: two's complement.
"""
import numpy as np

from definition import Case

def define(bits):
    return (bits.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(-1, dtype=np.uint64).astype(np.int64)


def cases():
    bits = np.array([[int(k % n == 0) for k in range(64)] for n in (1, 2, 7, 63, 99)])
    yield Case("int64", inputs=[bits], opsets=(10, 13, 18, 26), cannot={"openvino": "it computes int64 beyond 32 bits otherwise"})
