# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::addbmm: beta x + alpha (np.matmul(batch1, batch2).sum(0)); x does not count where beta is 0.

Source: PyTorch's documentation of torch.addbmm.
"""
import numpy as np

from definition import Case

def define(x, batch1, batch2, beta=1, alpha=1):
    product = np.float32(alpha) * (np.matmul(batch1, batch2).sum(0))
    return (product if beta == 0 else np.float32(beta) * x + product).astype(x.dtype)


def cases():
    inputs = [np.float32([[1, np.nan], [3, 4]]), np.float32([[[1, 2, 3], [4, 5, 6]], [[1, 0, 1], [0, 2, 0]]]), np.float32([[[1, 2], [3, 4], [5, 6]], [[0, 1], [1, 0], [2, 2]]])]
    for beta, alpha in ((np.int64(1), np.int64(1)), (np.float64(0.5), np.int64(2)), (np.int64(0), np.float64(3)), (np.float64(0), np.int64(1))):
        yield Case(f"beta-{beta.dtype}-{beta}-alpha-{alpha}", inputs=[*inputs, beta, alpha], constants=[3, 4], rtol=1e-6, why="The runtime sums in another order.")
    for beta in (0, 0.5):
        some = [np.where(np.isfinite(inputs[0]), inputs[0], np.float32(7)) if beta else inputs[0], *inputs[1:], np.float64(beta), np.int64(2)]
        yield Case(f"computed-beta-{beta}", inputs=some, opsets=(9, 11, 15, 26), rtol=1e-6, why="The runtime sums in another order.")
    whole = np.int64([[[2**31 + 1, 2**31 + 3]]] * 2)
    yield Case("int64", inputs=[np.int64([[5]]), whole, whole.swapaxes(1, 2), np.int64(1), np.int64(1)], constants=[3, 4], opsets=(9, 13, 26),
               cannot={"openvino": "it computes 64-bit integers in 32 bits"}, define=lambda x, left, right, beta, alpha: x + np.matmul(left, right).sum(0))
