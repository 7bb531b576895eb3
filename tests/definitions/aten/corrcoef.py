# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::corrcoef: Pearson's correlation coefficients.

Source: PyTorch's documentation of torch.corrcoef.
"""
import numpy as np

from definition import Case

def define(x):
    return np.corrcoef(x.astype(np.float64)).astype(x.dtype)


def cases():
    x = np.float32([[1, 4, 9, 16], [0, 2, 1, 5], [5, 5, -6, 6]])
    yield Case("rows", inputs=[x], opsets=range(11, 27), rtol=1e-5, atol=1e-6, why="The runtime sums in another order.")
    yield Case("one-row", inputs=[x[:1]], shapes="static", opsets=(11, 18, 26), define=lambda x: np.float32(1), rtol=1e-6, why="The runtime sums in another order.")
    yield Case("opposite", inputs=[np.float32([[1, 2, 3], [-2, -4, -6]])], opsets=(11, 26), rtol=1e-6, atol=1e-6, why="The runtime sums in another order.")
