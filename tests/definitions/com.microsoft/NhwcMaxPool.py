"""com.microsoft::NhwcMaxPool: MaxPool of images whose last dimension is that of the channels.

Source: ONNX Runtime's contrib operator NhwcMaxPool.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, kernel_shape, strides=(1, 1), pads=(0, 0, 0, 0), dilations=(1, 1)):
    low = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf
    padded = np.pad(x, ((0, 0), (pads[0], pads[2]), (pads[1], pads[3]), (0, 0)), constant_values=low)
    span = [dilations[axis] * (kernel_shape[axis] - 1) + 1 for axis in (0, 1)]
    windows = np.lib.stride_tricks.sliding_window_view(padded, span, axis=(1, 2))
    return windows[:, :: strides[0], :: strides[1], :, :: dilations[0], :: dilations[1]].max((-1, -2))


def cases():
    numbers = _random.Numbers()
    attributes = {"kernel_shape": [2, 3], "strides": [2, 1], "pads": [0, 1, 0, 1]}
    for dtype in (np.uint8, np.int8):
        yield Case(f"{np.dtype(dtype)}", inputs=[numbers.bytes(1, 7, 6, 4, dtype=dtype)], attributes=attributes)
