# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Windows over an image, and the cases at which the poolings are tried."""
import itertools

import numpy as np

from definition import Case


def windows(x, *, kernel_shape, strides=None, dilations=None, pads=None, auto_pad="NOTSET", ceil_mode=0, **_):
    """For each place of the result: its elements of every image and channel, and how many elements the window has of the input and its padding."""
    axes = len(kernel_shape)
    strides, dilations = strides or [1] * axes, dilations or [1] * axes
    pads = pads or [0] * (2 * axes)
    begins, ends, counts = [], [], []
    for i in range(axes):
        n, reach = x.shape[i + 2], dilations[i] * (kernel_shape[i] - 1) + 1
        begin, end = pads[i], pads[i + axes]
        if auto_pad.startswith("SAME"):
            total = max((-(-n // strides[i]) - 1) * strides[i] + reach - n, 0)
            begin = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
            end = total - begin
        way = n + begin + end - reach
        count = (-(-way // strides[i]) if ceil_mode else way // strides[i]) + 1
        if ceil_mode and (count - 1) * strides[i] >= n + begin:
            count -= 1
        begins.append(begin), ends.append(end), counts.append(max(count, 0))
    if 0 in counts:
        yield (0,) * axes, counts, x[:, :, :0].reshape(*x.shape[:2], 0), 0
    for place in itertools.product(*map(range, counts)):
        lines = []
        padded = 1
        for i, number in enumerate(place):
            line = number * strides[i] - begins[i] + dilations[i] * np.arange(kernel_shape[i])
            padded *= int(np.sum(line < x.shape[i + 2] + ends[i]))
            lines.append(line[(line >= 0) & (line < x.shape[i + 2])])
        yield place, counts, x[np.ix_(range(x.shape[0]), range(x.shape[1]), *lines)].reshape(*x.shape[:2], -1), padded


def pooled(x, reduce, **attributes):
    result = None
    for place, counts, elements, padded in windows(x, **attributes):
        if result is None:
            result = np.zeros((*x.shape[:2], *counts), np.float64)
        if 0 in counts:
            break
        result[(slice(None), slice(None), *place)] = reduce(elements.astype(np.float64), padded)
    return result.astype(x.dtype)


def cases(below, tolerance, more=({},)):
    """`below`: the opset that has dilations."""
    x = np.random.default_rng(8).normal(size=(2, 3, 7, 9)).astype(np.float32)
    plain = {"kernel_shape": [2, 3], "dilations": [2, 2]}
    kinds = {
        "plain": plain,
        "strides": {**plain, "strides": [2, 3]},
        "pads": {**plain, "pads": [1, 0, 1, 2], "strides": [2, 1]},
        "ceil": {**plain, "pads": [0, 1, 1, 0], "strides": [3, 2], "ceil_mode": 1},
        "ceil-far": {"kernel_shape": [2, 2], "dilations": [1, 3], "pads": [1, 1, 1, 2], "strides": [3, 3], "ceil_mode": 1},
        "same-upper": {**plain, "auto_pad": "SAME_UPPER", "strides": [2, 2]},
        "same-lower": {**plain, "auto_pad": "SAME_LOWER", "strides": [1, 2]},
        "valid": {**plain, "auto_pad": "VALID"},
    }
    for name, attributes in kinds.items():
        for number, others in enumerate(more):
            for shapes in ("symbolic", "static"):
                yield Case(f"{name}-{number}-{shapes}", inputs=[x], attributes={**attributes, **others}, shapes=shapes, written_for=22, opsets=range(9, below), **tolerance)
    line = {"kernel_shape": [3], "dilations": [2], "pads": [1, 2], "strides": [2]}
    yield Case("line", inputs=[x[:, :, 0]], attributes=line, written_for=22, opsets=range(9, below), **tolerance)
    # Windows longer than the axis. Without the size of the axis, a convolution would have to be of nothing.
    short = {"written_for": 22, "opsets": range(9, below), "cannot": {"openvino": "it loses the sizes of an empty tensor"}}
    for dtype in (np.float32, np.float64):
        few = x[:, :, 0, :3].astype(dtype)
        for name, attributes in (("strides", {"strides": [2]}), ("ceil", {"strides": [2], "ceil_mode": 1}), ("ceil-one", {"strides": [3], "ceil_mode": 1}), ("pads", {"strides": [3], "pads": [1, 0]})):
            yield Case(f"short-{name}-{np.dtype(dtype)}", inputs=[few], attributes={"kernel_shape": [3], "dilations": [2 + (name == "pads")], **attributes}, shapes="static", **{**short, **tolerance})
    yield Case("short-of-two-axes", inputs=[x[:, :, :4, :3]], attributes={"kernel_shape": [2, 3], "dilations": [1, 2], "strides": [1, 2]}, shapes="static", **{**short, **tolerance})
    volume = np.random.default_rng(9).normal(size=(1, 2, 5, 4, 6)).astype(np.float32)
    yield Case("volume", inputs=[volume], attributes={"kernel_shape": [2, 2, 2], "dilations": [2, 1, 3]}, written_for=22, opsets=range(9, below), **tolerance)
    yield Case("float64", inputs=[x.astype(np.float64)], attributes=kinds["pads"], written_for=22, opsets=range(9, below), **tolerance)
    half = {"rtol": 2e-3, "atol": 1e-3, "why": "It is rounded to half precision."}
    yield Case("float16", inputs=[x.astype(np.float16)], attributes=kinds["pads"], written_for=22, opsets=range(9, below), **half)
