# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::bits_of: the bits of an int64, lowest first.

Source: two's complement.
"""
import numpy as np

from definition import Case

def define(x):
    return np.stack([(x >> k) & 1 for k in range(64)], -1)


def cases():
    yield Case("int64", inputs=[np.array([[-(2**63), -1, 0], [1, 2**40 + 5, 2**63 - 1]])], opsets=(10, 13, 18, 26), cannot={"openvino": "it computes int64 beyond 32 bits otherwise"})
