# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::addcmul: x + value * (tensor1 * tensor2).

Source: PyTorch's documentation of torch.addcmul.
"""
import numpy as np

from definition import Case

def define(x, tensor1, tensor2, value=1):
    return x + (np.asarray(value).astype(x.dtype) * tensor1 * tensor2).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "The product and the sum may be fused or rounded in another order."}
    x, a, b = np.float32([[1, 2, 3], [4, 5, np.inf]]), np.float32([0.5, -2, 3]), np.float32([[4], [-5]])
    yield Case("float32", inputs=[x, a, b, np.float64(0.5)], constants=[3], **tolerance)
    yield Case("no-value", inputs=[x, a, b], opsets=(9, 15, 26), **tolerance)
    yield Case("int-value", inputs=[x, a, b, np.int64(2)], constants=[3], opsets=(9, 15, 26), **tolerance)
    yield Case("float64", inputs=[x.astype(np.float64), a.astype(np.float64), b.astype(np.float64), np.float64(0.5)], constants=[3], opsets=(9, 12, 15, 26), **tolerance)
