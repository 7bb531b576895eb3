# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::gcd: numpy.gcd.

Source: PyTorch's documentation of torch.gcd.
"""
import numpy as np

from definition import Case


def define(x, other):
    return np.gcd(x, other)


def cases():
    x, other = np.int64([[12, 18, -7, 0], [0, 5, 100, -36]]), np.int64([8, 0, 21, 24])
    for dtype in (np.int64, np.int32, np.int16, np.int8):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype), other.astype(dtype)], opsets=range(9, 27) if dtype == np.int64 else (9, 13, 26))
    yield Case("uint8", inputs=[np.uint8([200, 0, 255]), np.uint8([[150], [68]])], opsets=(9, 13, 26))
    yield Case("types", inputs=[x.astype(np.int32), other], opsets=(9, 13, 26))
    # Neighbours of Fibonacci's series take the most rounds.
    yield Case("large", inputs=[np.int64([7540113804746346429, 2**62, -(2**63 - 1)]), np.int64([4660046610375530309, 3 * 2**61, 7])], opsets=(9, 13, 26), cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    yield Case("empty", inputs=[np.zeros((0, 3), np.int64), np.int64([1, 2, 3])], opsets=(9, 13, 26))
    yield Case("float", inputs=[np.float32([6]), np.float32([4])], opsets=(13,), refuse="dtype(x) is float")
    yield Case("unranked-types", inputs=[np.int32([6, 4]), np.int64([4, 3])], shapes="unranked", opsets=(11, 26), refuse="the rank of input 0 is not known, and with rank 0 it would not decide the type")
