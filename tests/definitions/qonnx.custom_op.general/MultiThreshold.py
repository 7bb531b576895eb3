# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""qonnx.custom_op.general::MultiThreshold: how many thresholds a number reaches.

Source: qonnx/custom_op/general/multithreshold.py of QONNX.
"""
import numpy as np

from definition import Case


def define(x, thresholds, out_dtype="", out_scale=1.0, out_bias=0.0, data_layout=""):
    layout = data_layout or {2: "NC", 3: "NWC", 4: "NCHW"}.get(x.ndim, "NC")
    axis = layout.index("C")
    y = np.zeros(x.shape, np.float32)
    for place in np.ndindex(*x.shape):
        row = thresholds[place[axis] if len(thresholds) > 1 else 0]
        y[place] = sum(x[place] >= threshold for threshold in row)
    return (y * np.float32(out_scale) + np.float32(out_bias)).astype(x.dtype)


def cases():
    numbers = np.random.default_rng(5)
    image = numbers.integers(-4, 5, (2, 3, 4, 5)).astype(np.float32)
    thresholds = np.sort(numbers.integers(-4, 5, (3, 4)), axis=1).astype(np.float32)
    named = {"out_dtype": "UINT4"}
    yield Case("image", inputs=[image, thresholds], attributes=named)
    yield Case("scaled", inputs=[image, thresholds], attributes={"out_dtype": "INT4", "out_scale": 0.5, "out_bias": -2.0, "data_layout": "NCHW"}, constants=[1])
    yield Case("shared", inputs=[image, thresholds[:1]], attributes=named, opsets=[9, 13, 18])
    yield Case("last", inputs=[image.transpose(0, 2, 3, 1), thresholds], attributes={**named, "data_layout": "NHWC"})
    yield Case("three", inputs=[image[..., 0].transpose(0, 2, 1), thresholds], attributes=named, opsets=[9, 13, 18])
    yield Case("rows", inputs=[image[:, :, 0, 0], thresholds], attributes=named, opsets=[9, 13, 18])
    yield Case("volume", inputs=[image[..., None], thresholds], attributes=named, opsets=[9, 13, 18])
