# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What MQBench's fake quantizers share."""
import math

import numpy as np

from definition import Case


def along(x, axis, *arrays):
    shape = [1] * x.ndim
    shape[axis] = -1
    return [array.reshape(shape) for array in arrays]


def back(q, x, scale, zero_point, low, high):
    return ((np.clip(q, low, high) - zero_point) * scale).astype(x.dtype)


def in_torch(x, scale, zero_point, low, high):
    zero_point = np.rint(zero_point).astype(x.dtype)
    return back(zero_point + np.rint(x * (x.dtype.type(1) / scale)), x, scale, zero_point, low, high)


def in_mqbench(x, scale, zero_point, low, high):
    zero_point = np.rint(zero_point).astype(x.dtype)
    return back(np.rint(x / scale + zero_point), x, scale, zero_point, low, high)


def dsq(x, scale, zero_point, low, high, alpha):
    tanh_scale = 1 / (1 - alpha)
    tanh_k = math.log((tanh_scale + 1) / (tanh_scale - 1))
    level = np.clip(x / scale + zero_point.astype(x.dtype), low, high)
    bent = np.floor(level) + tanh_scale * np.tanh(tanh_k * (level - np.floor(level) - 0.5)) * 0.5 + 0.5
    return ((np.rint(bent) - zero_point) * scale).astype(x.dtype)


def numbers():
    return np.random.default_rng(44).normal(0, 4, (3, 4, 5)).astype(np.float32)


def tensor_cases(**attributes):
    x = numbers()
    scale = np.float32([0.1])
    for dtype in (np.float32, np.int32):
        yield Case(f"attributes-{np.dtype(dtype)}", inputs=[x, scale, np.array([3], dtype)], attributes={"quant_min": -16, "quant_max": 15, **attributes}, constants=[1, 2])
    yield Case("inputs", inputs=[x, scale, np.int32([0]), np.int64(-8), np.int64(7)], attributes=attributes, shapes="static")
    yield Case("scalars", inputs=[x, np.float32(0.25), np.int64(100), np.int64(0), np.int64(255)], attributes=attributes, constants=[1, 2, 3, 4])


def channel_cases(**attributes):
    x = numbers()
    scale, zero_point = np.float32([0.1, 0.33, 0.5, 0.07]), np.int32([0, 2, -3, 1])
    bounds = {"quant_min": -16, "quant_max": 15, **attributes}
    yield Case("first", inputs=[x, scale[:3], zero_point[:3]], attributes=bounds)
    yield Case("second", inputs=[x, scale, zero_point.astype(np.float32)], attributes={"ch_axis": 1, **bounds}, constants=[1, 2], shapes="static")
    yield Case("inputs", inputs=[x, scale[:3], zero_point[:3], np.int64(-8), np.int64(7)], attributes=attributes)
    yield Case("outside", inputs=[x, scale, zero_point], attributes={"ch_axis": 3, **bounds}, refuse="ch_axis is 3")


def axis_cases():
    yield Case("axis", inputs=[numbers(), np.float32([0.1, 0.33, 0.5, 0.07]), np.int32([0, 2, -3, 1]), np.int64(1), np.int64(-8), np.int64(7)], constants=[3, 4, 5])
