# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Resize: an image of another size, at the versions' several ways to say so.

Source: ONNX Resize-10, Resize-11, Resize-13.
"""
import numpy as np

from definition import Case, definition_of

upsample = definition_of("ai.onnx", "Upsample").define


def define(x, roi=None, scales=None, sizes=None, *, mode="nearest", coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_floor"):
    factors = [n / s for n, s in zip(sizes, x.shape)] if sizes is not None else scales
    return upsample(x, factors, mode=mode)


def cases():
    x = np.arange(12, dtype=np.float32).reshape(1, 2, 2, 3)
    scales, sizes, empty = np.float32([1, 1, 2, 3]), np.int64([1, 2, 4, 9]), np.float32([])
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "The weights are rounded in another order."}
    for mode in ("nearest", "linear"):
        plain = {"mode": mode, "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        yield Case(f"{mode}-10", inputs=[x, scales], attributes={"mode": mode}, written_for=10, opsets=range(10, 27),
                   define=lambda x, scales, mode: upsample(x, scales, mode=mode), **near)
        yield Case(f"{mode}-scales", inputs=[x, None, scales], attributes=plain, written_for=13, opsets=range(11, 27), **near)
        yield Case(f"{mode}-sizes", inputs=[x, None, None, sizes], constants=(3,), attributes=plain, written_for=13, opsets=range(11, 27), **near)
        yield Case(f"{mode}-11", inputs=[x, empty, scales], attributes=plain, written_for=11, opsets=range(11, 27), **near)
    yield Case("linear-to-10", inputs=[x, None, scales], attributes={"mode": "linear", "coordinate_transformation_mode": "asymmetric"},
               written_for=13, opsets=[10], **near)
