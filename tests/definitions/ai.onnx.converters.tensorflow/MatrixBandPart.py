# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::MatrixBandPart: some diagonals of matrices.

Source: the documentation of tf.linalg.band_part and TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def define(input, num_lower, num_upper, Tindex=7):
    band = np.zeros_like(input)
    for place in np.ndindex(input.shape):
        i, j = place[-2:]
        if (num_lower < 0 or i - j <= num_lower) and (num_upper < 0 or j - i <= num_upper):
            band[place] = input[place]
    return band


def cases():
    x = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)
    x[0, 2, 0] = np.nan
    for lower, upper in ((0, 0), (-1, 0), (1, 1), (0, -1), (2, 3), (-1, -1)):
        yield Case(f"constants-{lower}-{upper}", inputs=[x, np.int64(lower), np.int64(upper)], constants=[1, 2], attributes={"Tindex": 7})
    yield Case("run-time", inputs=[x, np.int64(0), np.int64(-1)], also=[[x, np.int64(-1), np.int64(1)], [x.reshape(2, 4, 3), np.int64(1), np.int64(0)]])
    yield Case("int32", inputs=[np.ones((3, 3), np.int32), np.int32(-1), np.int32(0)])
    yield Case("bool", inputs=[np.ones((2, 3), np.bool_), np.int64(0), np.int64(1)], constants=[1, 2], shapes="static")
