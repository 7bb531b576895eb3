# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Trilu: the upper or lower triangle of matrices, with zeros elsewhere.

Source: ONNX Trilu-14.
"""
import numpy as np

from definition import Case


def define(x, k=None, *, upper=1):
    k = 0 if k is None else int(k)
    return np.triu(x, k) if upper else np.tril(x, k)


def cases():
    x = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)
    for upper in (0, 1):
        yield Case(f"no-shift-{upper}", inputs=[x], attributes={"upper": upper})
        for k in (-1, 0, 2, 10):
            yield Case(f"{k}-{upper}", inputs=[x, np.int64(k)], attributes={"upper": upper})
    yield Case("nan", inputs=[np.float32([[np.nan, np.inf], [np.nan, 1]])])
    for dtype in (np.float64, np.int64, np.bool_, np.float16):
        yield Case(f"{np.dtype(dtype)}", inputs=[x.astype(dtype)])
