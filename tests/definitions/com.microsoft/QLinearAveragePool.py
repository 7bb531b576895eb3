"""com.microsoft::QLinearAveragePool: AveragePool of a quantized image.

Source: ONNX Runtime's contrib operator QLinearAveragePool.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def define(x, x_scale, x_zero, y_scale, y_zero=None, *, kernel_shape, pads=(0, 0, 0, 0), strides=(1, 1), count_include_pad=0, channels_last=0):
    image = _linear.real(x, x_scale, x_zero).astype(np.float64)
    if channels_last:
        image = np.moveaxis(image, -1, 1)
    around = ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3]))

    def sums(values):
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, around), kernel_shape, axis=(2, 3))
        return windows[:, :, :: strides[0], :: strides[1]].sum((-1, -2))

    count = np.prod(kernel_shape) if count_include_pad else sums(np.ones_like(image))
    y = sums(image) / count
    return _linear.quantized(np.moveaxis(y, 1, -1) if channels_last else y, y_scale, y_zero, x.dtype)


def cases():
    numbers = _random.Numbers()
    for dtype in (np.uint8, np.int8):
        common = {"opsets": _linear.FROM_10, "rtol": 0, "atol": 1, "why": _random.STEP_WHY}
        parameters = [np.float32(0.03), dtype(12), np.float32(0.02), dtype(3)]
        first = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]}
        yield Case(f"first-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 3, 8, 8, dtype=dtype), *parameters], attributes=first, **common)
        last = {"kernel_shape": [3, 2], "pads": [1, 1, 1, 1], "count_include_pad": 1, "channels_last": 1}
        yield Case(f"last-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 8, 8, 3, dtype=dtype), *parameters], attributes=last, **common)
        for channels_last, shape in ((0, (2, 3, 7, 6)), (1, (2, 7, 6, 3))):
            counted = {"kernel_shape": [3, 2], "pads": [1, 0, 1, 1], "strides": [2, 1], "count_include_pad": 1, "channels_last": channels_last}
            parameters = [np.float32(0.03), np.iinfo(dtype).max - dtype(40), np.float32(0.02), dtype(100)]
            yield Case(f"counted-{channels_last}-{np.dtype(dtype)}", inputs=[numbers.bytes(*shape, dtype=dtype), *parameters], attributes=counted, constants=[1, 2, 3, 4],
                       **{**common, "opsets": range(11, 27)})  # below 11 Pad takes no integers, and OpenVINO pads with another number
        yield Case(f"no-zero-points-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 3, 8, 8, dtype=dtype), np.float32(0.03), None, np.float32(0.02)],
                   attributes={"kernel_shape": [2, 2]}, **common)
