# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::HannWindow: 0.5 - 0.5 cos(t), of t in equal steps from 0 to a whole turn, which is not reached where the window is periodic.

Source: ONNX HannWindow-17, and ONNX Runtime's kernel of it: any number but 0 means periodic, and a size of one element may have any shape.
"""
import numpy as np

from definition import definition_of

windows = definition_of("ai.onnx", "_windows")
cases = windows.cases


def define(size, **attributes):
    return windows.window(lambda t: 0.5 - 0.5 * np.cos(t), size, **attributes)
