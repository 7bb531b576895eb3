# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::smooth_l1_loss.

Source: PyTorch's documentation of torch.nn.functional.smooth_l1_loss.
"""
import numpy as np

from definition import Case

def define(x, target, reduction, beta):
    d = np.abs(x.astype(np.float64) - target)
    loss = np.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta) if beta else d
    return np.asarray((loss, loss.mean(), loss.sum())[int(reduction)]).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-7, "why": "The runtime sums in another order."}
    x, target = np.float32([[1, 2, -3], [0.5, 0.1, 0]]), np.float32([[1.5, 2, 3], [0.4, 5, 2]])
    for reduction in range(3):
        for number in (0.5, 1.0, 0.0):
            yield Case(f"reduction{reduction}-{number}", inputs=[x, target, np.int64(reduction), np.float64(number)], constants=[2, 3], opsets=range(9, 27) if reduction == 1 else (9, 13, 18, 26), **tolerance)
