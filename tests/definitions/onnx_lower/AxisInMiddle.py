# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A value with three dimensions, of which an axis that is known only when the model runs is the second.

Source: its own definition, in rules/onnx_lower/AxisInMiddle.onnxtxt.
"""
import numpy as np

from definition import Case


def define(x, axis):
    axis = int(np.ravel(axis)[0]) % x.ndim
    before, behind = int(np.prod(x.shape[:axis])), int(np.prod(x.shape[axis + 1 :]))
    return x.reshape(before, x.shape[axis], behind), np.int64(x.shape)


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    yield Case("at-run-time", inputs=[x, np.int64(1)], also=[[x, np.int64(0)], [x, np.int64(-1)], [x[:0], np.int64(2)], [x[:, :, :0], np.int64(1)]])
    yield Case("list", inputs=[x, np.int32([2])], also=[[x, np.int32([-3])]])
    yield Case("static", inputs=[x, np.int64(1)], shapes="static")
