# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::count_nonzero: how many elements are not zero.

Source: PyTorch's documentation of torch.count_nonzero.
"""
import numpy as np

from definition import Case

def define(x, dim=None):
    return np.asarray(np.count_nonzero(x, None if dim is None else tuple(np.atleast_1d(dim).tolist())), np.int64)


def cases():
    for value in (0, 2):
        yield Case(f"of-no-dimension-{value}", inputs=[np.float32(value), np.array([-1])], constants=[1], opsets=(9, 15, 26), define=lambda x, dim: np.int64(x != 0))
    nan = {"openvino": "its conversion of NaN to bool is false"}
    x = np.float32([[0, -0.0, 1], [np.nan, np.inf, 1e-30]])
    yield Case("all", inputs=[x], cannot=nan)
    yield Case("none", inputs=[x, None], cannot=nan, opsets=(9, 15, 26))
    yield Case("number", inputs=[x, np.int64(1)], constants=[1], cannot=nan)
    yield Case("list", inputs=[x, np.array([0, 1])], constants=[1], cannot=nan, opsets=(9, 15, 26))
    for dtype in ("int64", "bool"):
        yield Case(dtype, inputs=[np.array([[0, 2, 1]]).astype(dtype), np.int64(0)], constants=[1], opsets=(9, 15, 26))
