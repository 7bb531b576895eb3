# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::LpPool: the p-norm of each window.

Source: ONNX LpPool-22.
"""
from definition import definition_of

pooling = definition_of("ai.onnx", "_pooling")


def define(x, *, p=2, **attributes):
    return pooling.pooled(x, lambda elements, _: (abs(elements) ** p).sum(-1) ** (1 / p), **attributes)


def cases():
    return pooling.cases(18, {"rtol": 1e-5, "atol": 1e-6, "why": "Sums are made axis by axis."}, ({}, {"p": 1}, {"p": 3}))
