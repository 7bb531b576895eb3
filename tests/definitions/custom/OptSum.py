# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""custom::OptSum: y = x * w, bounded by lo and hi, of which either may be absent.

Source: the example of an operator with optional inputs.
"""
import numpy as np

from definition import Case


def define(x, w, lo=None, hi=None):
    y = x * w
    y = y if lo is None else np.maximum(y, lo)
    return y if hi is None else np.minimum(y, hi)


def cases():
    x, w = np.float32([-3, -1, 0, 2, 5]), np.float32([2, 1, 7, 1, 3])
    lo, hi = np.float32(-2), np.float32(4)
    yield Case("all", inputs=[x, w, lo, hi], also=[[x[:0], w[:0], lo, hi], [x[:1], w[:1], lo, hi]])
    yield Case("no-lo", inputs=[x, w, None, hi])
    yield Case("no-hi", inputs=[x, w, lo])
    yield Case("neither", inputs=[x, w])
    yield Case("bounds-constant", inputs=[x, w, lo, hi], constants=(2, 3))
