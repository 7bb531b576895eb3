# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Convolution of images, for the operators that fuse something to it or turn its layout."""
import numpy as np


def _pads(attributes, in_size, kernel, strides, dilations):
    auto_pad = attributes.get("auto_pad", "NOTSET")
    if auto_pad in ("NOTSET", "VALID"):
        return attributes.get("pads", [0, 0, 0, 0]) if auto_pad == "NOTSET" else [0, 0, 0, 0]
    begins, ends = [], []
    for size, window, stride, dilation in zip(in_size, kernel, strides, dilations):
        total = max((-(-size // stride) - 1) * stride + dilation * (window - 1) + 1 - size, 0)
        small, large = total // 2, total - total // 2
        begins.append(small if auto_pad == "SAME_UPPER" else large)
        ends.append(large if auto_pad == "SAME_UPPER" else small)
    return begins + ends


def conv(x, w, bias=None, *, group=1, strides=(1, 1), dilations=(1, 1), kernel_shape=None, **attributes):
    """x: (N, C, H, W), w: (M, C / group, h, w); in float64."""
    top, left, bottom, right = _pads(attributes, x.shape[2:], w.shape[2:], strides, dilations)
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (top, bottom), (left, right)))
    heights = (x.shape[2] - dilations[0] * (w.shape[2] - 1) - 1) // strides[0] + 1
    widths = (x.shape[3] - dilations[1] * (w.shape[3] - 1) - 1) // strides[1] + 1
    outputs, inputs = w.shape[0] // group, w.shape[1]
    y = np.zeros((x.shape[0], w.shape[0], heights, widths))
    for part in range(group):
        filters = w[part * outputs : (part + 1) * outputs].astype(np.float64)
        image = x[:, part * inputs : (part + 1) * inputs]
        for row in range(w.shape[2]):
            for column in range(w.shape[3]):
                r, c = row * dilations[0], column * dilations[1]
                window = image[:, :, r : r + (heights - 1) * strides[0] + 1 : strides[0], c : c + (widths - 1) * strides[1] + 1 : strides[1]]
                y[:, part * outputs : (part + 1) * outputs] += np.einsum("nchw,mc->nmhw", window, filters[:, :, row, column])
    return y if bias is None else y + np.reshape(bias, (-1, 1, 1))


def channels_first(x):
    return np.moveaxis(x, -1, 1)


def channels_last(x):
    return np.moveaxis(x, 1, -1)
