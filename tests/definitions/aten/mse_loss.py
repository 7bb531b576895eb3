# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::mse_loss.

Source: PyTorch's documentation of torch.nn.functional.mse_loss.
"""
import numpy as np

from definition import Case

def define(x, target, reduction):
    loss = (x.astype(np.float64) - target) ** 2
    return np.asarray((loss, loss.mean(), loss.sum())[int(reduction)]).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-7, "why": "The runtime sums in another order."}
    x, target = np.float32([[1, 2, -3], [0.5, 0.1, 0]]), np.float32([[1.5, 2, 3], [0.4, 5, 2]])
    for reduction in range(3):
        yield Case(f"reduction{reduction}", inputs=[x, target, np.int64(reduction)], constants=[2], **tolerance)
