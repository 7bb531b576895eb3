# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::ExtractImagePatches: the patches of images.

Source: the documentation of tf.image.extract_patches and TensorFlow's kernel.
"""
import numpy as np

from definition import Case


def along(size, window, stride, rate, padding):
    """How many patches there are, and the margin before the first."""
    span = (window - 1) * rate + 1
    if padding == "VALID":
        return (size - span) // stride + 1, 0
    count = -(-size // stride)
    return count, max((count - 1) * stride + span - size, 0) // 2


def define(images, ksizes, strides, rates, padding):
    batch, height, width, depth = images.shape
    rows, top = along(height, ksizes[1], strides[1], rates[1], padding)
    columns, left = along(width, ksizes[2], strides[2], rates[2], padding)
    patches = np.zeros((batch, rows, columns, ksizes[1], ksizes[2], depth), images.dtype)
    for y, x, i, j in np.ndindex(rows, columns, ksizes[1], ksizes[2]):
        row, column = y * strides[1] + i * rates[1] - top, x * strides[2] + j * rates[2] - left
        if 0 <= row < height and 0 <= column < width:
            patches[:, y, x, i, j] = images[:, row, column]
    return patches.reshape(batch, rows, columns, -1) if batch else np.zeros((0, rows, columns, ksizes[1] * ksizes[2] * depth), images.dtype)


def cases():
    x = np.arange(2 * 5 * 6 * 3, dtype=np.float32).reshape(2, 5, 6, 3)
    for padding in ("SAME", "VALID"):
        for window, stride, rate in (((3, 3), (1, 1), (1, 1)), ((2, 3), (2, 2), (1, 1)), ((2, 2), (1, 2), (2, 1)), ((1, 1), (3, 2), (1, 1))):
            name = "-".join(str(number) for number in (*window, *stride, *rate))
            attributes = {"ksizes": [1, *window, 1], "strides": [1, *stride, 1], "rates": [1, *rate, 1], "padding": padding}
            yield Case(f"{padding}-{name}", inputs=[x], attributes=attributes, also=[[x[:1, :, :5]], [x[:0]]])
    plain = {"ksizes": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "rates": [1, 1, 1, 1]}
    yield Case("static", inputs=[x.astype(np.float16)], attributes={**plain, "padding": "SAME"}, shapes="static")
    yield Case("EXPLICIT", inputs=[x], attributes={**plain, "padding": "EXPLICIT"}, refuse="padding")
