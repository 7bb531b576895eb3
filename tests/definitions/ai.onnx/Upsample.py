# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Upsample: a larger image; the point i of the result is i / scale of the input.

Source: ONNX Upsample-7, Upsample-9.
"""
import numpy as np

from definition import Case


def define(x, scales_input=None, *, mode="nearest", **former):
    scales = former.get("scales", scales_input)
    for axis, scale in enumerate(scales):
        size = x.shape[axis]
        points = np.arange(int(np.floor(size * scale))) / float(scale)
        low = np.floor(points).astype(int)
        if mode == "nearest":
            x = np.take(x, low, axis)
        else:
            weight = (points - low).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
            high = np.minimum(low + 1, size - 1)
            x = (np.take(x, low, axis) * (1 - weight) + np.take(x, high, axis) * weight).astype(x.dtype)
    return x


def cases():
    x = np.arange(12, dtype=np.float32).reshape(1, 2, 2, 3)
    scales = np.float32([1, 1, 2, 3])
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "The weights are rounded in another order."}
    for mode in ("nearest", "linear"):
        yield Case(f"{mode}", inputs=[x, scales], constants=(1,), attributes={"mode": mode}, written_for=9, opsets=range(11, 27), **near)
        yield Case(f"{mode}-attribute", inputs=[x], attributes={"mode": mode, "scales": [1.0, 1.0, 2.0, 2.0]}, written_for=7, opsets=range(11, 27), **near)
    yield Case("at-run-time", inputs=[x, scales], written_for=9, opsets=range(11, 27), **near)
