# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MaxPool: the greatest element of each window.

Source: ONNX MaxPool-22.
"""
import numpy as np

from definition import Case, definition_of

pooling = definition_of("ai.onnx", "_pooling")


def define(x, *, storage_order=0, **attributes):
    return pooling.pooled(x, lambda elements, _: elements.max(-1), **attributes)


def cases():
    yield from pooling.cases(10, {})
    x = np.random.default_rng(8).integers(-128, 128, (1, 2, 6, 8))
    attributes = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 1, 1, 1]}
    for dtype in (np.int8, np.uint8):
        yield Case(f"{np.dtype(dtype)}", inputs=[(x & 255).astype(np.uint8).view(dtype)], attributes=attributes, written_for=12, opsets=range(9, 12))
    yield Case("ceil-without-dilations", inputs=[x.astype(np.float32)], attributes={"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, written_for=12, opsets=[9])
    yield Case("places", inputs=[x.astype(np.float32)], attributes={"kernel_shape": [2, 2], "dilations": [2, 2]}, outputs=2, expected=[x.astype(np.float32), x], written_for=12,
               opsets=[9], refuse="places of the maxima")
