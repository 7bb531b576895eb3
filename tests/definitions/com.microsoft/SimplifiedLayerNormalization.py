# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SimplifiedLayerNormalization: x / sqrt(mean(x^2) + epsilon) * scale over the dimensions from axis on, in float.

Source: ONNX Runtime's operator SimplifiedLayerNormalization.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(x, scale, axis=-1, epsilon=1e-5, stash_type=1):
    wide = x.astype(np.float64)
    axes = tuple(range(axis % x.ndim, x.ndim))
    inverse = 1 / np.sqrt((wide**2).mean(axes, keepdims=True) + epsilon)
    stash = np.float64 if x.dtype == np.float64 else np.float32
    return (wide * inverse * scale).astype(scale.dtype), inverse.astype(stash)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-4, "atol": 1e-6, "why": _random.FLOAT_WHY}
    x, scale = numbers.floats(2, 3, 8), numbers.floats(8)
    yield Case("last", inputs=[x, scale], outputs=1, **tolerance)
    yield Case("attributes", inputs=[x, scale], attributes={"axis": -1, "epsilon": 1e-6, "stash_type": 1}, outputs=1, **tolerance)
    yield Case("inverse", inputs=[x, scale], **tolerance)
    yield Case("axis-1", inputs=[x, numbers.floats(3, 8)], attributes={"axis": 1}, outputs=1, **tolerance)
    yield Case("matrix", inputs=[x[0], scale], outputs=1, **tolerance)
    half = [x.astype(np.float16), scale.astype(np.float16)]
    yield Case("float16", inputs=half, outputs=1, rtol=5e-3, atol=5e-3, why="float16 has eleven bits")
    yield Case("mixed", inputs=[x.astype(np.float16), scale], outputs=1, rtol=5e-3, atol=5e-3, why="float16 has eleven bits")
    for axis, shape in ((-1, (8,)), (1, (3, 8))):
        yield Case(f"double{axis}", inputs=[x.astype(np.float64), numbers.floats(*shape, dtype=np.float64)], attributes={"axis": axis}, rtol=1e-9, atol=1e-9, outputs=1, why=_random.FLOAT_WHY,
                   cannot={"openvino": "it computes double as float"})
    yield Case("empty", inputs=[x[:0], scale], outputs=1)
