# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::vander: the powers of a vector.

Source: PyTorch's documentation of torch.vander.
"""
import numpy as np

from definition import Case

def define(x, N, increasing):
    return np.vander(x, None if N is None else int(N), bool(increasing)).astype(x.dtype)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime's power rounds differently in the last bit."}
    for increasing in (False, True):
        yield Case(f"square-{increasing}", inputs=[np.float32([1, -2, 0, 0.5]), None, np.bool_(increasing)], constants=[2], opsets=range(11, 27), **tolerance)
        yield Case(f"three-{increasing}", inputs=[np.int64([1, -2, 3, 0]), np.int64(3), np.bool_(increasing)], constants=[1, 2], opsets=(9, 10, 11, 12, 13, 15, 26))
