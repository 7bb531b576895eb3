# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::bitwise_or: the bitwise or.

Source: PyTorch's documentation of torch.bitwise_or.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.bitwise_or(x, other.astype(x.dtype))


def cases():
    wide = {"openvino": "it computes int64 beyond 32 bits otherwise"}
    yield Case("bool", inputs=[np.array([[True], [False]]), np.array([True, False])])
    for dtype in ("int64", "int32", "uint8"):
        yield Case(dtype, inputs=[np.array([[5], [12]], dtype), np.array([3, 6, 127], dtype)], opsets=range(10, 27) if dtype == "int64" else (10, 12, 15, 17, 18, 26), cannot=wide)
    limits = np.array([-(2**63), -(2**40) - 1, -1, 0, 1, 2**40 + 5, 2**63 - 1])
    yield Case("negative", inputs=[limits[:, None], limits], opsets=(10, 13, 17, 18, 26), cannot=wide)
    yield Case("number", inputs=[np.array([5, -12], "int32"), np.int64(6)], constants=[1], opsets=(10, 15, 18, 26), cannot=wide)
