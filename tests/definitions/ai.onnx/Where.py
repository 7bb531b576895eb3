# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Where: X where the condition is true, else Y.

Source: ONNX Where-9.
"""
import numpy as np

from definition import Case


def define(condition, x, y):
    return np.where(condition, x, y)


def cases():
    condition = np.array([[True], [False]])
    numbers = np.array([1.5, -0.0, 0.0, np.inf, -np.inf, np.nan, 3e38, -1e-38])
    for dtype in (np.float32, np.float64, np.float16):
        x = numbers[~(np.isfinite(numbers) & (np.abs(numbers) > np.finfo(dtype).max))].astype(dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[condition, x, x[::-1].copy()], also=[[condition[:1], x[:0], x[:0]]], written_for=13, opsets=(7, 8))
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64):
        limits = np.iinfo(dtype)
        x = np.array([limits.min, 0, 1, limits.max], dtype)
        cannot = {"openvino": "it computes int64 beyond 32 bits otherwise"} if dtype == np.int64 else {}
        yield Case(f"{np.dtype(dtype)}", inputs=[condition, x, x[::-1].copy()], written_for=13, opsets=(7, 8), cannot=cannot)
