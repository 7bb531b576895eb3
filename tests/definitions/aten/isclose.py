# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::isclose: |x - other| <= atol + rtol |other|.

Source: PyTorch's documentation of torch.isclose.
"""
import numpy as np

from definition import Case

def define(x, other, rtol, atol, equal_nan):
    return np.isclose(x.astype(np.float64), other.astype(np.float64), float(rtol), float(atol), bool(equal_nan))


def cases():
    x = np.float32([0, 1, 1, 1, np.inf, np.inf, -np.inf, np.nan, np.nan, 1e30])
    other = np.float32([0, 1.0005, 1.1, -1, np.inf, 5, np.inf, np.nan, 1, np.inf])
    numbers = [np.float64(1e-3), np.float64(1e-8)]
    for equal_nan in (False, True):
        yield Case(f"float32-{equal_nan}", inputs=[x, other, *numbers, np.bool_(equal_nan)], constants=[2, 3, 4])
    yield Case("int64", inputs=[np.int64([1, 1000, 5]), np.int64([1, 1001, 6]), *numbers, np.bool_(False)], constants=[2, 3, 4], opsets=(9, 15, 26))
    yield Case("mixed", inputs=[x, other.astype(np.float64), *numbers, np.bool_(False)], constants=[2, 3, 4], opsets=(9, 12, 15, 26))
