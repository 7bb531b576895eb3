# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_vecdot: sums of products along a dimension.

Source: PyTorch's documentation of torch.linalg.vecdot.
"""
import numpy as np

from definition import Case


def define(x, y, dim=-1):
    return (x * y).sum(int(dim)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime adds in another order."}
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    yield Case("last", inputs=[x, x[::-1].copy(), np.int64(-1)], constants=[2], **tolerance)
    yield Case("first", inputs=[x, x[:1], np.int64(0)], constants=[2], opsets=(9, 13, 26), shapes=["symbolic", (1, "a", "b"), "symbolic"], **tolerance)
    yield Case("double", inputs=[x.astype(np.float64), x.astype(np.float64), np.int64(1)], constants=[2], opsets=(9, 13, 26), **tolerance)
    for dtype in (np.int32, np.int64):
        whole = np.array([[np.iinfo(dtype).max, 3], [2**17 + 1, 2**16 + 1]], dtype)
        yield Case(f"{np.dtype(dtype)}-that-wraps", inputs=[whole, whole[::-1].copy(), np.int64(-1)], constants=[2], opsets=(9, 13, 26),
                   cannot={"openvino": "it computes 64-bit integers in 32 bits, and sums of those saturate"})
