# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CumProd: products of all elements up to each one along an axis.

Source: ONNX CumProd-26.
"""
import dataclasses

import numpy as np

from definition import definition_of

sums = definition_of("ai.onnx", "CumSum")
define = sums.definition(np.cumprod, 1)


def cases():
    for case in sums.cases_of(26):
        yield dataclasses.replace(case, opsets=[opset for opset in case.opsets if opset < 26])
