# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mct_quantizers::ActivationUniformQuantizer: numbers on one of so many levels of a range, which is moved so that 0 is one of them.

Source: quantize_uniform_activations_numpy and adjust_range_to_include_zero of Sony's mct_quantizers.
"""
import numpy as np

from definition import Case


def define(x, min_range, max_range, num_bits, mctq_version=""):
    low, high = np.float64(np.float32(min_range)), np.float64(np.float32(max_range))
    step = (high - low) / (2**num_bits - 1)
    if low > 0:
        low = 0.0
    elif high < 0:
        high = 0.0
    else:
        width, low = high - low, step * np.round(low / step)
        high = width + low
    low, high = min(low, 0.0), max(high, 0.0)
    step = (high - low) / (2**num_bits - 1)
    return (np.round((np.clip(x.astype(np.float64), low, high) - low) / step) * step + low).astype(np.float32)


def cases():
    x = (3 * np.random.default_rng(2).standard_normal((2, 3, 4))).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "the step is no power of two, and is rounded"}
    for low, high in ((-1.3, 2.9), (0.2, 3.1), (-4.2, -0.3), (-0.05, 3.0), (0.0, 4.0)):
        for bits in (2, 8):
            yield Case(f"{bits}-bits-{low}-{high}", inputs=[x], attributes={"min_range": low, "max_range": high, "num_bits": bits, "mctq_version": "1.5.2"}, **near)
