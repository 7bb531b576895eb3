# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::QLinearMatMul: the product of quantized matrices, quantized.

Source: ONNX QLinearMatMul-10, QLinearMatMul-21.
"""
import numpy as np

from definition import Case


def define(a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    sums = (a.astype(np.int64) - a_zero.astype(np.int64)) @ (b.astype(np.int64) - b_zero.astype(np.int64))
    factor = a_scale.astype(np.float64) * b_scale.astype(np.float64) / y_scale.astype(np.float64)
    limits = np.iinfo(y_zero.dtype)
    return np.clip(np.round(sums * factor) + y_zero, limits.min, limits.max).astype(y_zero.dtype)


def cases():
    random = np.random.default_rng(4)
    # Scales are powers of two and no sum is halfway between two numbers, so that nothing is rounded but the result.
    for kind in (np.uint8, np.int8):
        limits = np.iinfo(kind)
        a, b = (random.integers(limits.min, limits.max + 1, shape).astype(kind) for shape in ((2, 3, 5), (5, 4)))
        b[:, :] |= 1
        for scale in (np.float32, np.float16):
            numbers = [np.array([n], scale) for n in (0.125, 0.25, 3.0)]
            zeros = [np.array([n], kind) for n in (3, 7, 5)]
            name = f"{np.dtype(kind)}-{np.dtype(scale)}"
            inputs = [a, numbers[0], zeros[0], b, numbers[1], zeros[1], numbers[2], zeros[2]]
            yield Case(name, inputs=inputs, shapes="static", written_for=21, opsets=range(9, 21))
            plain = [value.reshape(()) if value.shape == (1,) else value for value in inputs]
            yield Case(f"{name}-numbers", inputs=plain, shapes="static", written_for=21, opsets=range(9, 21))
