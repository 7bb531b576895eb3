# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Equal: a == b, false where one of them is NaN.

Source: ONNX Equal-11.
"""
import numpy as np

from definition import definition_of

define = np.equal


def cases():
    return definition_of("ai.onnx", "_comparisons").cases_at(11)
