# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::l1_loss.

Source: PyTorch's documentation of torch.nn.functional.l1_loss.
"""
import numpy as np

from definition import Case

def define(x, target, reduction):
    d = np.abs(x.astype(np.float64) - target)
    loss = d
    return np.asarray((loss, loss.mean(), loss.sum())[int(reduction)]).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-7, "why": "The runtime sums in another order."}
    x, target = np.float32([[1, 2, -3], [0.5, 0.1, 0]]), np.float32([[1.5, 2, 3], [0.4, 5, 2]])
    yield Case("integers", inputs=[np.int32([2**31 - 1, 5]), np.int32([0, 7]), np.int64(2)], constants=[2], opsets=(9, 13, 26), expected=[np.int64(2**31 + 1)], cannot={"openvino": "it computes 64-bit integers in 32 bits"})
    for reduction in range(3):
        yield Case(f"reduction{reduction}", inputs=[x, target, np.int64(reduction)], constants=[2], **tolerance)
