# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::ExpandDims: a dimension of size 1 more, at axis.

Source: ONNX Runtime's contrib operator ExpandDims.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, axis):
    return np.expand_dims(x, int(np.reshape(axis, ())))


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3)
    for axis in (0, 1, 2):
        yield Case(f"constant-{axis}", inputs=[x, np.int32(axis)], constants=[1])
    yield Case("constant-negative", inputs=[x, np.int32(-1)], constants=[1], opsets=range(11, 27))
    # Unsqueeze has had computed axes since opset 13.
    for dtype in (np.uint8, np.float64, np.float16):
        yield Case(f"computed-{np.dtype(dtype)}", inputs=[x.astype(dtype), np.int32(-2)], shapes="static", opsets=range(13, 27), cannot={"openvino": "it wants the axes as a constant"})
    yield Case("computed", inputs=[x, np.int32(1)], opsets=range(13, 27), cannot={"openvino": "it wants the axes as a constant"})
