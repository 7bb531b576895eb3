# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::lcm: numpy.lcm.

Source: PyTorch's documentation of torch.lcm.
"""
import numpy as np

from definition import Case


def define(x, other):
    return np.lcm(x, other)


def cases():
    x, other = np.int64([[12, 18, -7, 0], [0, 5, 10, -36]]), np.int64([8, 0, 14, 24])
    for dtype in (np.int64, np.int32, np.int16, np.int8):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype), other.astype(dtype)], opsets=range(9, 27) if dtype == np.int64 else (9, 13, 26))
    yield Case("uint8", inputs=[np.uint8([20, 0, 51]), np.uint8([[15], [68]])], opsets=(9, 13, 26))
    yield Case("types", inputs=[x.astype(np.int32), other], opsets=(9, 13, 26))
    yield Case("float", inputs=[np.float32([6]), np.float32([4])], opsets=(13,), refuse="dtype(x) is float")
    yield Case("unranked-types", inputs=[np.int32([6, 4]), np.int64([4, 3])], shapes="unranked", opsets=(11, 26), refuse="the rank of input 0 is not known, and with rank 0 it would not decide the type")
