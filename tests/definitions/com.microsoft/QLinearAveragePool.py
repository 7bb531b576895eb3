# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::QLinearAveragePool: AveragePool of a quantized image.

Source: ONNX Runtime's contrib operator QLinearAveragePool.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_linear = definition_of("com.microsoft", "_linear")


def extent(size, window, stride, begin, end, auto_pad, ceil_mode):
    """Where the windows along an axis begin, in the image's own places."""
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        count = -(-size // stride)
        # Strides longer than the windows make negative padding, which cuts off.
        total = (count - 1) * stride + window - size
        begin = int(total / 2) if auto_pad == "SAME_UPPER" else int((total + 1) / 2)
    elif ceil_mode:
        count = -(-(size + begin + end - window) // stride) + 1
        if (count - 1) * stride >= size + begin:  # it would begin behind the image
            count -= 1
    else:
        count = (size + begin + end - window) // stride + 1
    return [number * stride - begin for number in range(count)]


def define(x, x_scale, x_zero, y_scale, y_zero=None, *, kernel_shape, pads=None, strides=None, count_include_pad=0, channels_last=0, ceil_mode=0, auto_pad="NOTSET"):
    """With count_include_pad the sum is divided by the size of the whole window, also where it reaches behind the padding."""
    image = _linear.real(x, x_scale, x_zero).astype(np.float64)
    if channels_last:
        image = np.moveaxis(image, -1, 1)
    axes = len(kernel_shape)
    pads, strides, size = pads or [0] * 2 * axes, strides or [1] * axes, image.shape[2:]
    starts = [extent(size[axis], kernel_shape[axis], strides[axis], pads[axis], pads[axes + axis], auto_pad, ceil_mode) for axis in range(axes)]
    y = np.zeros((*image.shape[:2], *map(len, starts)))
    for place in np.ndindex(*y.shape[2:]):
        begins = [starts[axis][place[axis]] for axis in range(axes)]
        window = image[(..., *(slice(max(begin, 0), begin + kernel_shape[axis]) for axis, begin in enumerate(begins)))]
        count = np.prod(kernel_shape) if count_include_pad else np.prod(window.shape[2:])
        y[(..., *place)] = window.sum(tuple(range(2, image.ndim))) / count
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
        parameters = [np.float32(0.03), dtype(100), np.float32(0.02), dtype(3)]
        reaching = {"kernel_shape": [2, 3], "pads": [1, 1, 0, 1], "strides": [2, 1], "ceil_mode": 1, "count_include_pad": 1}
        from_11 = {**common, "opsets": range(11, 27)}  # Pad takes integers, and computed pads, from opset 11 on
        yield Case(f"ceil-padded-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 2, 6, 7, dtype=dtype), *parameters], attributes=reaching, **from_11)
        yield Case(f"ceil-padded-static-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 2, 6, 7, dtype=dtype), *parameters], attributes=reaching, shapes="static", **common)
        yield Case(f"ceil-padded-constants-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 2, 6, 7, dtype=dtype), *parameters], attributes=reaching, shapes="static",
                   constants=[1, 2, 3, 4], **common)
        yield Case(f"ceil-last-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 6, 7, 2, dtype=dtype), *parameters], attributes={**reaching, "channels_last": 1}, **from_11)
        # The fourth window would begin behind the image.
        behind = {"kernel_shape": [2], "pads": [1, 1], "strides": [3], "ceil_mode": 1}
        for counted in (0, 1):
            for length in (5, 6, 7, 8):
                yield Case(f"ceil-behind-{counted}-{length}-{np.dtype(dtype)}", inputs=[numbers.bytes(2, 2, length, dtype=dtype), *parameters],
                           attributes={**behind, "count_include_pad": counted}, **from_11)
        for auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            same = {"kernel_shape": [3, 2, 4], "strides": [2, 3, 1], "auto_pad": auto_pad, "count_include_pad": 1}
            yield Case(f"{auto_pad}-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 2, 6, 7, 5, dtype=dtype), *parameters], attributes=same, **from_11)
            for counted in (0, 1):
                cut = {"kernel_shape": [1, 3], "strides": [4, 2], "auto_pad": auto_pad, "count_include_pad": counted}
                yield Case(f"{auto_pad}-cut-off-{counted}-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 2, 7, 6, dtype=dtype), *parameters], attributes=cut, shapes="static", **from_11)
            yield Case(f"{auto_pad}-static-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 2, 6, 7, 5, dtype=dtype), *parameters], attributes=same, shapes="static",
                       constants=[1, 2, 3, 4], **common)
        # Of few channels OpenVINO has no quick pooling of 8 bits on most processors.
        for shape, window in (((2, 1, 4), [3]), ((1, 2, 4, 5), [3, 3])):
            yield Case(f"few-channels-{len(window)}-{np.dtype(dtype)}", inputs=[numbers.bytes(*shape, dtype=dtype), *parameters], attributes={"kernel_shape": window}, shapes="static",
                       constants=[1, 2, 3, 4], **common)
        yield Case(f"no-zero-points-{np.dtype(dtype)}", inputs=[numbers.bytes(1, 3, 8, 8, dtype=dtype), np.float32(0.03), None, np.float32(0.02)],
                   attributes={"kernel_shape": [2, 2]}, **common)
