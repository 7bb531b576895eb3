# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::bilinear: y[..., o] = sum x[..., i] weight[o, i, j] other[..., j] + bias[o].

Source: PyTorch's documentation of torch.nn.functional.bilinear.
"""
import numpy as np

from definition import Case

def define(x, other, weight, bias=None):
    return np.einsum("...i,oij,...j->...o", x, weight, other) + (0 if bias is None else bias)


def cases():
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": "The runtime sums in another order."}
    x, other, weight = (np.random.default_rng(5).normal(size=shape).astype(np.float32) for shape in ((4, 2), (4, 3), (5, 2, 3)))
    yield Case("bias", inputs=[x, other, weight, np.arange(5, dtype=np.float32)], opsets=range(12, 27), **tolerance)
    yield Case("no-bias", inputs=[x, other, weight, None], opsets=(12, 13, 26), **tolerance)
    yield Case("batch", cannot={"openvino": "its Einsum takes the ellipsis otherwise"}, inputs=[x.reshape(2, 2, 2), other.reshape(2, 2, 3), weight], opsets=(12, 13, 26), **tolerance)
