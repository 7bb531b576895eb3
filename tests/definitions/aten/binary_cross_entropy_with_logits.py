# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::binary_cross_entropy_with_logits.

Source: PyTorch's documentation of torch.nn.BCEWithLogitsLoss, put as its kernel has it: (1 - target) x minus the weighted log(sigmoid(x)). With targets that are infinite that is another
number than the sum over both classes.
"""
import numpy as np

from definition import Case

def define(x, target, weight, pos_weight, reduction):
    x, target = x.astype(np.float64), target.astype(np.float64)
    log_weight = 1 if pos_weight is None else 1 + (pos_weight.astype(np.float64) - 1) * target
    loss = (1 - target) * x + log_weight * np.logaddexp(0, -x)
    loss = loss * (1 if weight is None else weight)
    return np.asarray((loss, loss.mean(), loss.sum())[int(reduction)]).astype(np.float32)


def cases():
    x, target = np.float32([[0.1, -3, 50], [0, 1e-3, -100]]), np.float32([[0, 1, 0.5], [1, 0, 0.1]])
    row = np.float32([1, 2, 0.5])
    for reduction in range(3):
        for name, weight, pos_weight in (("plain", None, None), ("weight", row, None), ("positive", None, row), ("both", row, row[::-1].copy())):
            yield Case(f"{name}-{reduction}", inputs=[x, target, weight, pos_weight, np.int64(reduction)], constants=[4],
                       opsets=range(9, 27) if name == "both" else (9, 13, 26), rtol=1e-5, atol=1e-6, why="The runtime's exp and log round.")
