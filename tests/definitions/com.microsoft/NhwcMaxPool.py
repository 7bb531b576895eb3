# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::NhwcMaxPool: MaxPool of images whose last dimension is that of the channels.

Source: ONNX Runtime's contrib operator NhwcMaxPool.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
extent = definition_of("com.microsoft", "QLinearAveragePool").extent


def define(x, kernel_shape, strides=(1, 1), pads=(0, 0, 0, 0), dilations=(1, 1), ceil_mode=0, auto_pad="NOTSET"):
    spans = [dilations[axis] * (kernel_shape[axis] - 1) + 1 for axis in (0, 1)]
    starts = [extent(x.shape[1 + axis], spans[axis], strides[axis], pads[axis], pads[2 + axis], auto_pad, ceil_mode) for axis in (0, 1)]
    y = np.zeros((x.shape[0], *map(len, starts), x.shape[3]), x.dtype)
    for place in np.ndindex(*y.shape[1:3]):
        rows, columns = ([k for k in range(starts[axis][place[axis]], starts[axis][place[axis]] + spans[axis], dilations[axis]) if 0 <= k < x.shape[1 + axis]] for axis in (0, 1))
        y[:, place[0], place[1]] = x[:, rows][:, :, columns].max((1, 2))
    return y


def cases():
    numbers = _random.Numbers()
    attributes = {"kernel_shape": [2, 3], "strides": [2, 1], "pads": [0, 1, 0, 1]}
    for dtype in (np.uint8, np.int8):
        yield Case(f"{np.dtype(dtype)}", inputs=[numbers.bytes(1, 7, 6, 4, dtype=dtype)], attributes=attributes)
        # The last window would begin behind the image.
        behind = {"kernel_shape": [2, 1], "strides": [3, 2], "pads": [1, 0, 1, 0], "ceil_mode": 1}
        yield Case(f"ceil-behind-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 7, 6, 4, dtype=dtype)], attributes=behind, shapes="static", opsets=range(10, 27))
        yield Case(f"ceil-behind-computed-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 7, 6, 4, dtype=dtype)], attributes=behind, opsets=range(11, 27))
        dilated = {"kernel_shape": [2, 3], "strides": [2, 2], "dilations": [1, 2], "ceil_mode": 1}
        yield Case(f"ceil-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 7, 8, 4, dtype=dtype)], attributes=dilated, opsets=range(10, 27))
        for auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            cut = {"kernel_shape": [1, 2], "strides": [3, 4], "auto_pad": auto_pad}
            yield Case(f"{auto_pad}-cut-off-{np.dtype(dtype)}", inputs=[numbers.bytes(2, 6, 8, 3, dtype=dtype)], attributes=cut, shapes="static")
            yield Case(f"{auto_pad}-{np.dtype(dtype)}", inputs=[numbers.bytes(2, 6, 8, 3, dtype=dtype)], attributes={**cut, "kernel_shape": [2, 3]}, opsets=range(11, 27))
