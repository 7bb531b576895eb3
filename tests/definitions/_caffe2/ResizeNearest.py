# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::ResizeNearest: images made greater, or smaller, by taking one pixel.

Source: ResizeNearestOp of Caffe2.
"""
import numpy as np

from definition import Case


def define(x, order="NCHW", width_scale=1.0, height_scale=1.0):
    height, width = x.shape[2:]
    rows = [min(int(row / height_scale), height - 1) for row in range(int(height * height_scale))]
    columns = [min(int(column / width_scale), width - 1) for column in range(int(width * width_scale))]
    return x[:, :, rows][:, :, :, columns]


def cases():
    x = np.arange(2 * 3 * 4 * 6, dtype=np.float32).reshape(2, 3, 4, 6)
    for width_scale, height_scale in ((2.0, 2.0), (1.5, 0.5), (1.0, 3.0)):
        yield Case(f"{width_scale}-{height_scale}", inputs=[x], attributes={"order": "NCHW", "width_scale": width_scale, "height_scale": height_scale})
    yield Case("channels-last", inputs=[x], attributes={"order": "NHWC", "width_scale": 2.0, "height_scale": 2.0}, refuse="order")
