# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Div: the quotient of two integers, less its fraction.

Source: ONNX Div-14.
"""
import dataclasses

import numpy as np

from definition import definition_of

shared = definition_of("ai.onnx", "_small_integers")


def define(a, b):
    return np.trunc(a / b.astype(np.float64)).astype(np.int64).astype(a.dtype)


def cases():
    for case in shared.cases():
        yield dataclasses.replace(case, cannot={"openvino": "it rounds quotients of small integers"})
