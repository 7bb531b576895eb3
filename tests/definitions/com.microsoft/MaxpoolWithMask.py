"""com.microsoft::MaxpoolWithMask: the greatest of those elements of a window where the mask is not zero.

Source: ONNX Runtime's contrib operator MaxpoolWithMask.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, mask, kernel_shape, strides=(1, 1)):
    masked = np.where(mask != 0, x, np.finfo(np.float32).min).astype(x.dtype)
    windows = np.lib.stride_tricks.sliding_window_view(masked, kernel_shape, axis=(2, 3))
    return windows[:, :, :: strides[0], :: strides[1]].max((-1, -2))


def cases():
    numbers = _random.Numbers()
    mask = np.ones((1, 2, 6, 8), np.int32)
    mask[..., 5:] = 0
    yield Case("columns", inputs=[numbers.floats(1, 2, 6, 8), mask], attributes={"kernel_shape": [2, 2], "strides": [2, 2]})
