# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::reduced_loss: as it is, its mean, its sum (at::Reduction 0, 1, 2).

Source: at::Reduction in PyTorch.
"""
import numpy as np

from definition import Case

def define(loss, reduction):
    return (loss, loss.mean(), loss.sum())[int(reduction)]


def cases():
    for reduction in range(3):
        yield Case(f"reduction{reduction}", inputs=[np.float32([[1, 2], [3, 6]]), np.int64(reduction)], constants=[1])
