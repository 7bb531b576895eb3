# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linear: x times the transposed weight, plus the bias.

Source: PyTorch's documentation of torch.nn.functional.linear.
"""
import numpy as np

from definition import Case

def define(x, weight, bias=None):
    y = x.astype(np.float64) @ weight.T
    return (y if bias is None else y + bias).astype(x.dtype)


def cases():
    random = np.random.default_rng(0)
    x, weight, bias = (random.standard_normal(shape).astype(np.float32) for shape in ((2, 3, 4), (5, 4), (5,)))
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": "The runtime sums in another order."}
    yield Case("bias", inputs=[x, weight, bias], constants=[1, 2], **tolerance)
    yield Case("no-bias", inputs=[x, weight, None], constants=[1], opsets=(9, 13, 26), **tolerance)
    yield Case("vectors", inputs=[x, weight[0], None], constants=[1], opsets=(9, 13, 26), **tolerance)
    yield Case("vectors-and-bias", inputs=[x, weight[0], bias[0]], constants=[1, 2], opsets=(9, 13, 26), **tolerance)
    yield Case("vector", inputs=[x[0, 0], weight, bias], opsets=(9, 13, 26), **tolerance)
