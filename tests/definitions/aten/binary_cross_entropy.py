# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::binary_cross_entropy.

Source: PyTorch's documentation of torch.nn.BCELoss.
"""
import numpy as np

from definition import Case

def define(x, target, weight, reduction):
    x, target = x.astype(np.float64), target.astype(np.float64)
    loss = -(target * np.maximum(np.log(x), -100) + (1 - target) * np.maximum(np.log(1 - x), -100)) * (1 if weight is None else weight)
    return np.asarray((loss, loss.mean(), loss.sum())[int(reduction)]).astype(np.float32)


def cases():
    x, target = np.float32([[0.1, 0.9, 0.5], [0, 1, 0.25]]), np.float32([[0, 1, 0.5], [1, 0, 0.1]])
    for reduction in range(3):
        for name, weight in (("plain", None), ("weight", np.float32([1, 2, 0.5]))):
            yield Case(f"{name}-{reduction}", inputs=[x, target, weight, np.int64(reduction)], constants=[3], opsets=range(9, 27) if reduction == 1 else (9, 13, 26),
                       rtol=1e-5, atol=1e-6, why="The runtime's log rounds, and it sums in another order.")
