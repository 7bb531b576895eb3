# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The cases of the comparisons of two values."""
import numpy as np

from definition import Case


def cases_at(written_for, opsets=range(9, 27), floats=True, integers=True):
    a = np.array([[-np.inf, -1, 0, 1, np.inf, np.nan, np.nan, 3]])
    b = np.array([[-np.inf, 1, 0, -1, np.inf, np.nan, 1, np.nan], [np.inf, -1, -0.0, 5, np.inf, 0, np.nan, 3]])
    if floats:
        for dtype in (np.float32, np.float64, np.float16):
            yield Case(f"{np.dtype(dtype)}", inputs=[a.astype(dtype), b.astype(dtype)], written_for=written_for, opsets=opsets,
                       cannot={"openvino": "NaN is greater than every number for it"})
        yield Case("scalar", inputs=[np.float32(1), np.float32(1)], written_for=written_for, opsets=opsets)
        yield Case("empty", inputs=[np.zeros((0, 2), np.float32), np.float32(1)], written_for=written_for, opsets=opsets)
    if integers:
        for dtype in (np.int32, np.int64):
            x, y = np.array([[-3, 0, 2, 100]], dtype), np.array([[5], [0], [-3]], dtype)
            yield Case(f"{np.dtype(dtype)}", inputs=[x, y], written_for=written_for, opsets=opsets)
        limits = np.iinfo(np.int64)
        large = np.array([[limits.min, limits.min + 1, -(2**53) - 1, -(2**53), -1, 0, 2**53, 2**53 + 1, limits.max]])
        yield Case("int64-large", inputs=[large, large.T.copy()], written_for=written_for, opsets=opsets, cannot={"openvino": "it computes int64 beyond 32 bits otherwise"})
