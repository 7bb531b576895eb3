# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::tensordot: the sum of products over some dimensions of two tensors.

Source: PyTorch's documentation of torch.tensordot.
"""
import numpy as np

from definition import Case

def define(a, b, dims_a, dims_b):
    return np.asarray(np.tensordot(a.astype(np.float64), b, (dims_a.tolist(), dims_b.tolist())), a.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "atol": 1e-6, "why": "The runtime sums in another order."}
    random = np.random.default_rng(0)
    a, b = random.standard_normal((2, 3, 4)).astype(np.float32), random.standard_normal((4, 5, 2)).astype(np.float32)
    for name, inputs in {"one": [a, b, [2], [0]], "two": [a, b, [2, 0], [0, 2]], "negative": [a, b, [-1], [-3]], "none": [a[0], b[0], [], []], "all": [a, b, [0, 2], [2, 0]],
                         "scalar": [a[0], a[0], [0, 1], [0, 1]]}.items():
        yield Case(name, inputs=[*inputs[:2], np.int64(inputs[2]), np.int64(inputs[3])], constants=[2, 3], opsets=range(9, 27) if name == "two" else (9, 13, 18, 26), **tolerance)
    yield Case("twice", inputs=[a, b, np.int64([2, -1]), np.int64([0, 1])], constants=[2, 3], opsets=(13,), refuse="input 2 names a dimension twice")
    yield Case("computed", inputs=[a, b, np.int64([2]), np.int64([0])], opsets=(13,), refuse="input 2 (dims_a) is not a constant")
