# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::AveragePool: the mean of each window, of what is there or of the padding too.

Source: ONNX AveragePool-22.
"""
import numpy as np

from definition import Case, definition_of

pooling = definition_of("ai.onnx", "_pooling")
NEAR = {"rtol": 1e-5, "atol": 1e-6, "why": "Sums are made axis by axis."}


def define(x, *, count_include_pad=0, **attributes):
    return pooling.pooled(x, lambda elements, padded: elements.sum(-1) / (padded if count_include_pad else elements.shape[-1]), **attributes)


def cases():
    yield from pooling.cases(19, NEAR, ({}, {"count_include_pad": 1}))
    x = np.random.default_rng(8).normal(size=(1, 2, 6, 8)).astype(np.float32)
    for include in (0, 1):
        attributes = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 0, 0, 1], "ceil_mode": 1, "count_include_pad": include}
        yield Case(f"ceil-without-dilations-{include}", inputs=[x], attributes=attributes, written_for=22, opsets=[9], **NEAR)
