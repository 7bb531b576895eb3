# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mct_quantizers::ActivationSymmetricQuantizer: numbers on one of so many levels around 0, or from 0 on.

Source: quantize_sym_activations_numpy of Sony's mct_quantizers.
"""
import numpy as np

from definition import Case, definition_of

_weights = definition_of("mct_quantizers", "WeightsSymmetricQuantizer")


def define(x, threshold, signed, num_bits, mctq_version=""):
    step = threshold / 2 ** (num_bits - 1 if signed else num_bits)
    return _weights.quantized(x.astype(np.float64), -threshold if signed else 0.0, threshold - step, step).astype(np.float32)


def cases():
    x = (3 * np.random.default_rng(2).standard_normal((2, 3, 4))).astype(np.float32)
    for signed in (0, 1):
        for bits, threshold in ((8, 4.0), (4, 2.0), (8, 2.7)):
            attributes = {"num_bits": bits, "signed": signed, "threshold": threshold, "mctq_version": "1.5.2"}
            yield Case(f"{bits}-bits-{signed}-{threshold}", inputs=[x], attributes=attributes, **_weights.NEAR)
    halves = np.float32([0.5, 1.5, 2.5, -0.5, -1.5, np.inf, -np.inf])
    yield Case("halves", inputs=[halves], attributes={"num_bits": 8, "signed": 1, "threshold": 128.0})
