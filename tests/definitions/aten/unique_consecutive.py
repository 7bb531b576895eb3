# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::unique_consecutive: runs of equal elements.

Source: PyTorch's documentation of torch.unique_consecutive.
"""
import numpy as np

from definition import Case


def define(x, return_inverse, return_counts, dim=None):
    flat = x.reshape(-1)
    starts = np.concatenate([np.ones(min(flat.size, 1), bool), flat[1:] != flat[:-1]])
    first = np.flatnonzero(starts)
    return flat[starts], (np.cumsum(starts) - 1).reshape(x.shape), np.diff(np.append(first, flat.size))


def cases():
    yes = np.bool_(True)
    for dtype in (np.int64, np.float32, np.int32):
        x = np.array([[1, 1, 2], [2, 3, 1]]).astype(dtype)
        yield Case(f"matrix-{np.dtype(dtype)}", inputs=[x, yes, yes, None], constants=[1, 2], outputs=3, also=[[x[:1], yes, yes, None]], opsets=range(11, 27) if dtype == np.int64 else (11, 13, 26))
    yield Case("values", inputs=[np.float32([np.nan, np.nan, 0, -0.0]), np.bool_(False), np.bool_(False), None], constants=[1, 2], outputs=3, absent_outputs=[1, 2], opsets=(11, 13, 26))
    yield Case("along", inputs=[np.float32([[1], [1]]), yes, yes, np.int64(0)], constants=[1, 2, 3], outputs=1, opsets=(13,), refuse="dim is present")
