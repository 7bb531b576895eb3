# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The last axis as two, of which the first has so many parts.

Source: its own definition, in rules/onnx_lower/SplitLastAxis.onnxtxt.
"""
import numpy as np

from definition import Case


def define(x, parts):
    return x.reshape(*x.shape[:-1], parts, x.shape[-1] // parts)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 12)
    yield Case("at-run-time", inputs=[x], attributes={"parts": 3}, also=[[x[:, :6]], [x[:0]], [x[:, :0]]])
    yield Case("static", inputs=[x.reshape(-1)], attributes={"parts": 4}, shapes="static")
