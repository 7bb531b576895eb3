# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::nan_to_num: numbers for NaN and the infinities.

Source: PyTorch's documentation of torch.nan_to_num.
"""
import numpy as np

from definition import Case

def define(x, nan=None, posinf=None, neginf=None):
    if x.dtype.kind in "iu":
        return x
    limits = np.finfo(x.dtype)
    low, high = (limits.min if neginf is None else neginf), (limits.max if posinf is None else posinf)
    return np.nan_to_num(x, nan=0.0 if nan is None else nan, posinf=high, neginf=low).astype(x.dtype)


def cases():
    cannot = {"openvino": "it takes a number for NaN where it chooses, and computes double in single precision"}
    for dtype in ("float32", "float64", "float16", "int64"):
        x = np.array([1, -2, 0, 3]).astype(dtype) if dtype == "int64" else np.array([1, np.nan, np.inf, -np.inf, -0.0], dtype)
        yield Case(f"defaults-{dtype}", inputs=[x, None, None, None], opsets=range(10, 27) if dtype == "float32" else (10, 13, 20, 26), cannot=cannot)
        yield Case(f"all-{dtype}", inputs=[x, np.float64(1), np.float64(2), np.float64(3)], constants=[1, 2, 3], opsets=(10, 13, 20, 26), cannot=cannot)
    yield Case("one", inputs=[np.float32([np.nan, np.inf]), None, np.float64(7)], constants=[2], opsets=(9, 10, 13, 26), cannot=cannot)
