# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Greater: a > b, false where one of them is NaN.

Source: ONNX Greater-9.
"""
import numpy as np

from definition import definition_of

define = np.greater


def cases():
    return definition_of("ai.onnx", "_comparisons").cases_at(9, opsets=range(7, 27))
